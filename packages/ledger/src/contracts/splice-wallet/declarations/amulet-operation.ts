/** Splice.Wallet.Install, the batch: what a wallet can do with a user's coin, and what comes of it. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record, tuple } from "../../../daml/record.ts";
import { contractId, int64, numeric, party, text, time, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { RelTime } from "../../rel-time.ts";
import { InvalidTransferReason, TransferResult } from "../../splice-amulet/declarations/transfer.ts";
import { BuyTrafficRequestTrackingInfo } from "./traffic-purchases.ts";
import { TransferOfferTrackingInfo } from "./transfer-offer.ts";

const MemberTrafficPurchase = record({
  trafficAmount: int64,
  memberId: text,
  synchronizerId: text,
  migrationId: int64,
  minTopupInterval: RelTime,
  topupStateCid: optional(contractId),
});
export type MemberTrafficPurchase = ValueOf<typeof MemberTrafficPurchase>;

export const AmuletOperation = variant({
  CO_AppPayment: contractId,
  CO_CompleteAcceptedTransfer: contractId,
  CO_SubscriptionAcceptAndMakeInitialPayment: contractId,
  CO_SubscriptionMakePayment: contractId,
  CO_MergeTransferInputs: unit,
  CO_BuyMemberTraffic: MemberTrafficPurchase,
  CO_CompleteBuyTrafficRequest: record({ trafficRequestCid: contractId }),
  CO_Tap: record({ tapAmount: numeric }),
  ExtAmuletOperation: record({ dummyUnitField: unit }),
  CO_CreateExternalPartySetupProposal: record({ externalParty: party, preapprovalExpiresAt: time }),
  CO_AcceptTransferPreapprovalProposal: record({ preapprovalProposalCid: contractId, expiresAt: time }),
  CO_RenewTransferPreapproval: record({ previousApprovalCid: contractId, newExpiresAt: time }),
  CO_TransferPreapprovalSend: record({
    transferPreapprovalCid: contractId,
    providerFeaturedAppRightCid: optional(contractId),
    amount: numeric,
    description: optional(text),
  }),
});
export type AmuletOperation = ValueOf<typeof AmuletOperation>;

export const AmuletOperationOutcome = variant({
  COO_AcceptedAppPayment: contractId,
  COO_CompleteAcceptedTransfer: tuple(TransferResult, TransferOfferTrackingInfo),
  COO_SubscriptionInitialPayment: contractId,
  COO_SubscriptionPayment: contractId,
  COO_MergeTransferInputs: optional(contractId),
  COO_BuyMemberTraffic: contractId,
  COO_CompleteBuyTrafficRequest: tuple(contractId, BuyTrafficRequestTrackingInfo),
  COO_Tap: contractId,
  COO_Error: InvalidTransferReason,
  ExtAmuletOperationOutcome: record({ dummyUnitField: unit }),
  COO_CreateExternalPartySetupProposal: contractId,
  COO_AcceptTransferPreapprovalProposal: contractId,
  COO_RenewTransferPreapproval: contractId,
  COO_TransferPreapprovalSend: optional(contractId),
});
export type AmuletOperationOutcome = ValueOf<typeof AmuletOperationOutcome>;
