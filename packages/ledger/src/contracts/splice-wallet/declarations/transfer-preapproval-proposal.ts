/** Splice.Wallet.TransferPreapproval: a receiver asks a provider to pay for a preapproval of transfers. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import {
  PaymentTransferContext,
  TransferInput,
  TransferResult,
} from "../../splice-amulet/declarations/transfer.ts";

export const TransferPreapprovalProposal = declareTemplate({
  package: walletPackage,
  module: "Splice.Wallet.TransferPreapproval",
  entity: "TransferPreapprovalProposal",
  fields: { receiver: party, provider: party, expectedDso: optional(party) },
  choices: {
    TransferPreapprovalProposal_Accept: consuming(
      { context: PaymentTransferContext, inputs: list(TransferInput), expiresAt: time },
      record({ transferPreapprovalCid: contractId, transferResult: TransferResult, amuletPaid: numeric }),
    ),
  },
});
