/** Splice.AmuletRules, the transfer: what goes in, what comes out, in which round and on whose behalf. */
import { damlMap, list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, numeric, party, text, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { AppRewardBeneficiary } from "../../splice-api-featured-app-v1/featured-app-right.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { TimeLock } from "./fees.ts";
import { Round } from "./round-number.ts";

/** Used by an app that collects, rejects or expires a payment. */
export const AppTransferContext = record("AppTransferContext", {
  amuletRules: contractId,
  openMiningRound: contractId,
  featuredAppRight: optional(contractId),
});
export type AppTransferContext = ValueOf<typeof AppTransferContext>;

export const TransferContext = record("TransferContext", {
  openMiningRound: contractId,
  issuingMiningRounds: damlMap(Round, contractId),
  validatorRights: damlMap(party, contractId),
  featuredAppRight: optional(contractId),
});
export type TransferContext = ValueOf<typeof TransferContext>;

/** For parties that sign outside: what it names stays in force for a day and more, and nothing can be minted. */
export const ExternalPartyTransferContext = record("ExternalPartyTransferContext", {
  externalPartyConfigState: contractId,
  featuredAppRight: optional(contractId),
});
export type ExternalPartyTransferContext = ValueOf<typeof ExternalPartyTransferContext>;

/** Used by the sender's wallet. */
export const PaymentTransferContext = record("PaymentTransferContext", {
  amuletRules: contractId,
  context: TransferContext,
});
export type PaymentTransferContext = ValueOf<typeof PaymentTransferContext>;

export const TransferInput = variant({
  InputAppRewardCoupon: contractId,
  InputValidatorRewardCoupon: contractId,
  InputSvRewardCoupon: contractId,
  InputAmulet: contractId,
  ExtTransferInput: record({ dummyUnitField: unit, optInputValidatorFaucetCoupon: optional(contractId) }),
  InputValidatorLivenessActivityRecord: contractId,
  InputUnclaimedActivityRecord: contractId,
  InputDevelopmentFundCoupon: contractId,
});
export type TransferInput = ValueOf<typeof TransferInput>;

export const TransferOutput = record({
  receiver: party,
  receiverFeeRatio: numeric,
  amount: numeric,
  lock: optional(TimeLock),
});
export type TransferOutput = ValueOf<typeof TransferOutput>;

export const Transfer = record({
  sender: party,
  provider: party,
  inputs: list(TransferInput),
  outputs: list(TransferOutput),
  beneficiaries: optional(list(AppRewardBeneficiary)),
});
export type Transfer = ValueOf<typeof Transfer>;

export const BalanceChange = record({
  changeToInitialAmountAsOfRoundZero: numeric,
  changeToHoldingFeesRate: numeric,
});
export type BalanceChange = ValueOf<typeof BalanceChange>;

export const TransferSummary = record({
  inputAppRewardAmount: numeric,
  inputValidatorRewardAmount: numeric,
  inputSvRewardAmount: numeric,
  inputAmuletAmount: numeric,
  balanceChanges: damlMap(party, BalanceChange),
  holdingFees: numeric,
  outputFees: list(numeric),
  senderChangeFee: numeric,
  senderChangeAmount: numeric,
  amuletPrice: numeric,
  inputValidatorFaucetAmount: optional(numeric),
  inputUnclaimedActivityRecordAmount: optional(numeric),
  inputDevelopmentFundAmount: optional(numeric),
});
export type TransferSummary = ValueOf<typeof TransferSummary>;

export const CreatedAmulet = variant({
  TransferResultAmulet: contractId,
  TransferResultLockedAmulet: contractId,
  ExtCreatedAmulet: record({ dummyUnitField: unit }),
});
export type CreatedAmulet = ValueOf<typeof CreatedAmulet>;

export const TransferResult = record({
  round: Round,
  summary: TransferSummary,
  createdAmulets: list(CreatedAmulet),
  senderChangeAmulet: optional(contractId),
  meta: optional(Metadata),
});
export type TransferResult = ValueOf<typeof TransferResult>;

/** Why a transfer could not be made, where that is a result and not a failure. */
export const InvalidTransferReason = variant({
  ITR_InsufficientFunds: record({ missingAmount: numeric }),
  ITR_UnknownSynchronizer: record({ synchronizerId: text }),
  ITR_InsufficientTopupAmount: record({ requestedTopupAmount: int64, minTopupAmount: int64 }),
  ITR_Other: record({ description: text }),
  ExtInvalidTransferReason: record({ dummyUnitField: unit }),
});
