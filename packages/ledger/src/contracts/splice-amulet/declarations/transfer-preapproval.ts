/** Splice.AmuletRules: a receiver's standing consent to get coin, and the proposal that brings an external party in. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time, unit } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import {
  ExternalPartyTransferContext,
  PaymentTransferContext,
  TransferInput,
  TransferResult,
} from "./transfer.ts";

const place = { package: amuletPackage, module: "Splice.AmuletRules" } as const;

const preapprovalFields = {
  dso: party,
  receiver: party,
  /** Earns the app rewards of transfers to the receiver. */
  provider: party,
  validFrom: time,
  lastRenewedAt: time,
  expiresAt: time,
} as const;

const sending = {
  inputs: list(TransferInput),
  amount: numeric,
  sender: party,
  description: optional(text),
} as const;

export const TransferPreapproval = declareTemplate({
  ...place,
  entity: "TransferPreapproval",
  fields: preapprovalFields,
  choices: {
    TransferPreapproval_Fetch: nonConsuming({ p: party }, record(preapprovalFields)),
    TransferPreapproval_Send: nonConsuming(
      { context: PaymentTransferContext, ...sending },
      record({ result: TransferResult, meta: optional(Metadata) }),
    ),
    TransferPreapproval_SendV2: nonConsuming(
      { context: ExternalPartyTransferContext, ...sending },
      record({ result: TransferResult, meta: Metadata }),
    ),
    TransferPreapproval_Renew: consuming(
      { context: PaymentTransferContext, inputs: list(TransferInput), newExpiresAt: time },
      record({
        transferPreapprovalCid: contractId,
        transferResult: TransferResult,
        receiver: party,
        provider: party,
        amuletPaid: numeric,
        meta: optional(Metadata),
      }),
    ),
    TransferPreapproval_Expire: consuming({}, record({})),
    TransferPreapproval_Cancel: consuming({ p: party }),
  },
});
export type TransferPreapproval = ValueOf<(typeof TransferPreapproval)["record"]>;

const Ended = record({ dummyArg: unit });

export const ExternalPartySetupProposal = declareTemplate({
  ...place,
  entity: "ExternalPartySetupProposal",
  fields: { validator: party, user: party, dso: party, createdAt: time, preapprovalExpiresAt: time },
  choices: {
    ExternalPartySetupProposal_Accept: consuming(
      {},
      record({ validatorRightCid: contractId, transferPreapprovalCid: contractId }),
    ),
    ExternalPartySetupProposal_Reject: consuming({ reason: text }, Ended),
    ExternalPartySetupProposal_Withdraw: consuming({ reason: text }, Ended),
  },
});
export type ExternalPartySetupProposal = ValueOf<(typeof ExternalPartySetupProposal)["record"]>;
