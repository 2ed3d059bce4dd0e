/** The public exports of the ledger. */
export {
  NameCare,
  RenewalPreference,
  RequestWithdrawal,
} from "./contracts/callsign-names/declarations/names.ts";
export { PrimaryName } from "./contracts/callsign-names/declarations/primary-name.ts";
export { NameCareV2, TakeUpRequest } from "./contracts/callsign-names/declarations/take-up.ts";
export { networkCatalogue } from "./contracts/network-catalogue.ts";
export { RelTime, relTime } from "./contracts/rel-time.ts";
export { expiryRound } from "./contracts/splice-amulet/coin/coin-expiry.ts";
export { holdingFee } from "./contracts/splice-amulet/coin/expiring-amount.ts";
export { findMetadata, REASON_KEY, SENDER_KEY } from "./contracts/splice-amulet/coin/holding-metadata.ts";
export { amuletInstrument } from "./contracts/splice-amulet/coin/instrument.ts";
export {
  Amulet,
  FeaturedAppActivityMarker,
  FeaturedAppRight,
  LockedAmulet,
  ValidatorRight,
} from "./contracts/splice-amulet/declarations/amulet.ts";
export { AmuletAllocation } from "./contracts/splice-amulet/declarations/amulet-allocation.ts";
export { TransferConfig } from "./contracts/splice-amulet/declarations/amulet-config.ts";
export { AmuletRules } from "./contracts/splice-amulet/declarations/amulet-rules.ts";
export { AmuletTransferInstruction } from "./contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
export {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "./contracts/splice-amulet/declarations/development-fund.ts";
export {
  ExternalPartyAmuletRules,
  TransferCommand,
  TransferCommandCounter,
} from "./contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
export { ExternalPartyConfigState } from "./contracts/splice-amulet/declarations/external-party-config-state.ts";
export { MemberTraffic } from "./contracts/splice-amulet/declarations/member-traffic.ts";
export {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "./contracts/splice-amulet/declarations/reward-coupons.ts";
export {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "./contracts/splice-amulet/declarations/round.ts";
export type {
  PaymentTransferContext,
  TransferInput,
  TransferResult,
} from "./contracts/splice-amulet/declarations/transfer.ts";
export {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "./contracts/splice-amulet/declarations/transfer-preapproval.ts";
export {
  ValidatorFaucetCoupon,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "./contracts/splice-amulet/declarations/validator-license.ts";
export { DEFAULT_TICK_DURATION } from "./contracts/splice-amulet/rules/default-amulet-config.ts";
export {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "./contracts/splice-amulet-name-service/declarations/ans.ts";
export { defaultAnsConfig } from "./contracts/splice-amulet-name-service/default-ans-config.ts";
export { entryTerms } from "./contracts/splice-amulet-name-service/entry-terms.ts";
export { AllocationFactory } from "./contracts/splice-api-token-v1/allocation-instruction.ts";
export { AllocationRequest } from "./contracts/splice-api-token-v1/allocation-request.ts";
export { ChoiceContext, type ExtraArgs, type Metadata } from "./contracts/splice-api-token-v1/metadata.ts";
export { TransferFactory } from "./contracts/splice-api-token-v1/transfer-instruction.ts";
export { onAmuletRules, onDsoRules } from "./contracts/splice-dso-governance/confirmed-actions.ts";
export {
  ActionRequiringConfirmation,
  type AmuletRulesAction,
} from "./contracts/splice-dso-governance/declarations/confirmed-action.ts";
export {
  Confirmation,
  DsoRules,
  UnallocatedUnclaimedActivityRecord,
} from "./contracts/splice-dso-governance/declarations/dso-rules.ts";
export {
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "./contracts/splice-dso-governance/declarations/sv-onboarding.ts";
export {
  AmuletPriceVote,
  SvNodeState,
  SvRewardState,
} from "./contracts/splice-dso-governance/declarations/sv-state.ts";
export { VoteRequest } from "./contracts/splice-dso-governance/declarations/vote-request.ts";
export { actionToConfirm, transferContextOf } from "./contracts/splice-dso-governance/payment-action.ts";
export { voteCooldown } from "./contracts/splice-dso-governance/sv-contracts.ts";
export {
  UsedSecret,
  ValidatorOnboarding,
} from "./contracts/splice-validator-lifecycle/declarations/validator-onboarding.ts";
export type { AmuletOperation } from "./contracts/splice-wallet/declarations/amulet-operation.ts";
export { WalletAppInstall } from "./contracts/splice-wallet/declarations/install.ts";
export {
  MintingDelegation,
  MintingDelegationProposal,
} from "./contracts/splice-wallet/declarations/minting-delegation.ts";
export {
  BuyTrafficRequest,
  ValidatorTopUpState,
} from "./contracts/splice-wallet/declarations/traffic-purchases.ts";
export {
  AcceptedTransferOffer,
  TransferOffer,
} from "./contracts/splice-wallet/declarations/transfer-offer.ts";
export { TransferPreapprovalProposal } from "./contracts/splice-wallet/declarations/transfer-preapproval-proposal.ts";
export {
  AcceptedAppPayment,
  AppPaymentRequest,
  TerminatedAppPayment,
} from "./contracts/splice-wallet-payments/declarations/app-payments.ts";
export {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayData,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "./contracts/splice-wallet-payments/declarations/subscriptions.ts";
export type { DamlMap, MapType } from "./daml/collections.ts";
export { type AnyDamlType, type DamlType, decodeText, equalValues, type ValueOf } from "./daml/daml-type.ts";
export { DecodeError } from "./daml/decode-error.ts";
export { historyJson, type JsonDialect, ledgerJson, scanJson } from "./daml/json-dialect.ts";
export type { JsonValue } from "./daml/json-value.ts";
export type { OptionalType } from "./daml/optional.ts";
export type { RecordOf, RecordType } from "./daml/record.ts";
export type { VariantOf } from "./daml/variant.ts";
export type { Catalogue } from "./engine/catalogue.ts";
export { Command, createCommand, exerciseCommand } from "./engine/command.ts";
export { type Contract, formatBlob, isAuthentic, parseBlob } from "./engine/contract.ts";
export type {
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceDeclaration,
  ChoiceName,
  Declaration,
  PayloadOf,
  ResultOf,
  TemplateDeclaration,
  ViewOf,
} from "./engine/declaration.ts";
export { createEngine, type Engine } from "./engine/interpret.ts";
export { decodeContract } from "./engine/live-contract.ts";
export { informees, listWitnesses, type ProjectedEvent, projectLedgerEffects } from "./engine/projection.ts";
export type { Template } from "./engine/template.ts";
export type { ExerciseNode, Transaction, TransactionNode } from "./engine/transaction.ts";
export { type ErrorCode, errorCatalogue } from "./errors/catalogue.ts";
export { errorCategories, grpcCodes } from "./errors/category.ts";
export { type LedgerError, ledgerError } from "./errors/ledger-error.ts";
export { wireStatusOf } from "./errors/wire-status.ts";
export { decideAutoRenewal } from "./names/auto-renewal.ts";
export {
  decideInitialPayments,
  type InitialPaymentDecision,
  type PendingInitialPayment,
} from "./names/decide-initial-payments.ts";
export { decideRenewal, type RenewalDecision } from "./names/decide-renewal.ts";
export { type EntryDescription, parseEntryDescription } from "./names/entry-description.ts";
export { isExpirable, isRenewalCollectable, isVisible } from "./names/entry-liveness.ts";
export { completeName, type EntryName } from "./names/entry-name.ts";
export { type EntryUrl, parseEntryUrl } from "./names/entry-url.ts";
export { findLatestPrimary, isPrimaryEntry } from "./names/primary-name.ts";
export { listWellKnownEntries, type WellKnownEntry } from "./names/well-known-entries.ts";
export { expiryBatches, isRoundArchivable, type LeftCoupons } from "./rounds/expire-coupons.ts";
export { findBeneficiaryFault } from "./rounds/find-beneficiary-fault.ts";
export {
  type BeneficiaryShare,
  pickSvRewardRound,
  shareSvWeight,
} from "./rounds/receive-sv-rewards.ts";
export { type RoundSummary, summarizeRound } from "./rounds/summarize-round.ts";
export { backedTime, type Stamp } from "./transition/backed-time.ts";
export type { OpenedRound, RewardTotal } from "./transition/continuation-content.ts";
export { commandKey } from "./transition/deduplication.ts";
export { FIRST_DIGEST } from "./transition/digest.ts";
export { type CarriedItem, draftContinuation, draftParts } from "./transition/draft-continuation.ts";
export { draftFounding, type FoundingSvTerms, type FoundingTerms } from "./transition/draft-founding.ts";
export {
  type ActivateVersion,
  EntryContent,
  type FoundNetwork,
  isMemberEntry,
  isTick,
  type MemberEntry,
} from "./transition/entry-content.ts";
export { findObjection, type Objection } from "./transition/gate.ts";
export { fingerprintOf, memberIdOf, type Verify } from "./transition/key.ts";
export type {
  AcceptedCommand,
  AttestedSnapshot,
  Change,
  Head,
  Hosting,
  LedgerView,
  Member,
  Network,
  SvSet,
  TrafficAccount,
} from "./transition/ledger-view.ts";
export {
  BACKED_TIME_VERSION,
  DEFAULT_CLOCK_TOLERANCE,
  MAX_CONTENT_BYTES,
  MAX_DEDUPLICATION_PERIOD,
  MAX_PART_BYTES,
  MAX_SIGNATURES,
  PROTOCOL_VERSION,
  SUPPORTED_VERSIONS,
} from "./transition/limits.ts";
export {
  type Envelope,
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
  parseLogEntry,
  type Signature,
  signedMessage,
  stampMessage,
} from "./transition/log-entry.ts";
export type { CarriedTotals, Completion, Outcome, Verdict } from "./transition/outcome.ts";
export {
  type Beginning,
  type BegunNetwork,
  beginningOf,
  readBeginning,
} from "./transition/read-beginning.ts";
export { readContent } from "./transition/read-content.ts";
export { ReplicaHalt } from "./transition/replica-halt.ts";
export { findSnapshotFault, snapshotMessage } from "./transition/state-snapshot.ts";
export {
  findSvSetFault,
  isAttested,
  type SvSetChange,
  svSetMessage,
} from "./transition/sv-set.ts";
export { createTransition, type Transition } from "./transition/transition.ts";
export { type ContractId, isContractId, parseContractId } from "./values/contract-id.ts";
export {
  add,
  type Decimal,
  decimal,
  decimalFromInt,
  decimalFromUnits,
  divide,
  formatDecimal,
  formatDecimalShort,
  isDecimalUnits,
  minimum,
  multiply,
  ONE,
  parseDecimal,
  sum,
  ZERO,
} from "./values/decimal.ts";
export { DAY, HOUR, MINUTE, SECOND } from "./values/duration.ts";
export type { Hash } from "./values/hash.ts";
export { MAX_INT64 } from "./values/int64.ts";
export type { Parsed } from "./values/parsed.ts";
export { findParticipantMember, formatParticipantId } from "./values/participant-id.ts";
export { formatPartyId, type PartyId, parsePartyId, partyHint, partyNamespace } from "./values/party-id.ts";
export { requiredConfirmations } from "./values/required-confirmations.ts";
export {
  addDuration,
  formatInstant,
  formatTime,
  isTimeMicros,
  laterTime,
  MIN_TIME,
  parseTime,
  type Time,
  time,
  timeFromMicros,
} from "./values/time.ts";
export { toleratedFaults } from "./values/tolerated-faults.ts";
