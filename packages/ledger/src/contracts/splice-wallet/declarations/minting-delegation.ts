/** Splice.Wallet.MintingDelegation: a beneficiary lets a delegate mint its rewards and merge its coins. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import {
  PaymentTransferContext,
  TransferInput,
  TransferResult,
} from "../../splice-amulet/declarations/transfer.ts";

const place = { package: walletPackage, module: "Splice.Wallet.MintingDelegation" } as const;

const delegationFields = {
  beneficiary: party,
  delegate: party,
  dso: party,
  expiresAt: time,
  /** Advice to the delegate: how many coins to leave before it merges them. Nothing checks it. */
  amuletMergeLimit: int64,
} as const;

export const MintingDelegationProposal = declareTemplate({
  ...place,
  entity: "MintingDelegationProposal",
  fields: { delegation: record("MintingDelegation", delegationFields) },
  choices: {
    MintingDelegationProposal_Accept: consuming(
      { existingDelegationCid: optional(contractId) },
      record({ mintingDelegationCid: contractId }),
    ),
    MintingDelegationProposal_Reject: consuming({}, record({})),
    MintingDelegationProposal_Withdraw: consuming({}, record({})),
  },
});

export const MintingDelegation = declareTemplate({
  ...place,
  entity: "MintingDelegation",
  fields: delegationFields,
  choices: {
    MintingDelegation_Mint: nonConsuming(
      { inputs: list(TransferInput), context: PaymentTransferContext },
      record({ transferResult: TransferResult }),
    ),
    MintingDelegation_Reject: consuming({}, record({})),
    MintingDelegation_Withdraw: consuming({}, record({})),
  },
});
