/** The public interface of @callsign/api. */
export { makeAsyncApiDocument } from "./asyncapi.ts";
export { isAudited } from "./audited.ts";
export { type AuthRule, authRules } from "./auth-rule.ts";
export { findBaseUrlFault, hideCredentials, MAX_BASE_URL, trimBaseUrl } from "./base-url.ts";
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  formatTarget,
  readAnswer,
  sendRequest,
  type UnreadAnswer,
  type UntypedRequest,
} from "./client.ts";
export {
  type CallFailure,
  findLedgerError,
  findSpliceMessage,
  HttpError,
  SchemaViolation,
  TransportError,
  type TransportFailure,
} from "./client-errors.ts";
export {
  type ActivatedByEntry,
  controlApi,
  type MemberKeys,
  type NetworkOfProcess,
  type ProcessStatus,
  StorePosition,
} from "./control/api.ts";
export {
  type Api,
  baseUrlOf,
  defineEndpoints,
  type Endpoint,
  type EndpointTable,
  empty,
  json,
  text,
} from "./endpoint.ts";
export type { Fetch } from "./exchange.ts";
export { MAX_STATISTICS_DAYS, NameChange, type NameStatisticsDay } from "./ext/history.ts";
export { type LookupStatistics, MAX_LOOKUP_MINUTES } from "./ext/lookups.ts";
export type { NameAvailability } from "./ext/names.ts";
export { findEndpoint, methodsOf } from "./find-endpoint.ts";
export { ledgerApi } from "./ledger/api.ts";
export type { Command, Commands, DeduplicationPeriod, DisclosedContract } from "./ledger/commands.ts";
export type { CompletionItem } from "./ledger/completions.ts";
export {
  type ErrorOccasion,
  LedgerErrorBody,
  ledgerRejection,
} from "./ledger/error-body.ts";
export type { EventFormat, Filters, TransactionFormat, UpdateFormat } from "./ledger/event-format.ts";
export type { ArchivedEvent, CreatedEvent, Event, ExercisedEvent } from "./ledger/events.ts";
export type { IdentityProviderConfig } from "./ledger/identity-providers.ts";
export type { PackageReference } from "./ledger/interactive.ts";
export { LIST_WAIT_MILLISECONDS, MAX_LIST_ELEMENTS } from "./ledger/list-query.ts";
export {
  parseLedgerBody,
  parseLedgerParams,
  parseLedgerQuery,
  parseLedgerRequest,
} from "./ledger/parse-request.ts";
export type { PartyDetails } from "./ledger/parties.ts";
export type { Duration, ObjectMeta, TraceContext } from "./ledger/proto.ts";
export type { ReassignmentCommands } from "./ledger/reassignment-commands.ts";
export { unknownLedgerPath, wrongLedgerMethod } from "./ledger/rejections.ts";
export { type ActiveContract, DEFAULT_ACS_PAGE_SIZE, MAX_ACS_PAGE_SIZE } from "./ledger/state.ts";
export type { Transaction } from "./ledger/transaction.ts";
export type { TransactionTree, TreeEvent, TreeUpdate } from "./ledger/transaction-tree.ts";
export {
  DEFAULT_UPDATES_PAGE_SIZE,
  MAX_UPDATES_PAGE_SIZE,
  type TopologyTransaction,
  Update,
} from "./ledger/updates.ts";
export type { Right, User } from "./ledger/users.ts";
export {
  type ListVettedPackages,
  MAX_VETTED_PACKAGES_PAGE_SIZE,
  type UpdateVettedPackages,
  type VettedPackages,
  type VettedPackagesRef,
} from "./ledger/vetting.ts";
export { findWebsocketToken, formatWebsocketProtocols, WEBSOCKET_PROTOCOL } from "./ledger/websocket.ts";
export {
  localNetworkApi,
  NetworkSnapshot,
  type ScanBehaviour,
  SNAPSHOT_NAME,
  SNAPSHOT_NAME_RULE,
  type UserOfNetwork,
} from "./local-network/api.ts";
export type {
  AnyRequest,
  ClientRequest,
  ResponseOf,
  ServerRequest,
  StreamItemOf,
  TableRequest,
} from "./messages.ts";
export { makeOpenApiDocument, type OpenApiDocument, type OpenApiOperation } from "./openapi.ts";
export { renderOpenApiPage } from "./openapi-page.ts";
export { parseJsonText } from "./parse-json-text.ts";
export { participantAdminApi } from "./participant-admin/api.ts";
export type { PruningSchedule } from "./participant-admin/pruning.ts";
export {
  MAX_SEQUENCERS,
  SUBMISSION_PATIENCE_MILLISECONDS,
} from "./participant-admin/sequencer-connections.ts";
export { formatPath, listPathParameters, percentDecode } from "./path-template.ts";
export type { RawRequest } from "./raw-request.ts";
export { chunksOf, readBounded } from "./read-bounded.ts";
export { registryApi } from "./registry/api.ts";
export type { ChoiceContext, RegistryDisclosedContract } from "./registry/choice-context.ts";
export type { Instrument } from "./registry/operations.ts";
export { jsonRejection, type Received, type Rejection } from "./rejection.ts";
export type { SnapshotContract } from "./scan/acs.ts";
export { scanApi } from "./scan/api.ts";
export type { CoinTransaction, CoinTransfer } from "./scan/coin-activities.ts";
export type { AmuletConfigForRound } from "./scan/deprecated.ts";
export type { HoldingsSummary } from "./scan/holdings.ts";
export {
  CHANNEL_LOOKUPS,
  CHANNEL_MOVED,
  CHANNEL_TELLS,
  type ChannelAnswer,
  type ChannelQuestion,
  formatChannelAnswer,
  formatQuestion,
  LOOKUP_CHANNEL_PATH,
  LOOKUP_CHANNEL_PROTOCOL,
  parseChannelAnswer,
  parseQuestion,
} from "./scan/lookup-channel.ts";
export type { DsoInfo } from "./scan/network.ts";
export type { TransferCommandStatus } from "./scan/parties.ts";
export { AGREED_SCANS_HEADER, RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "./scan/record-time.ts";
export type { RoundPartyTotals, RoundTotals } from "./scan/round-totals.ts";
export type { HistoryCreatedEvent, HistoryEvent, UpdateV1, UpdateV2 } from "./scan/updates.ts";
export type { ReceivedFaucets } from "./scan/validators.ts";
export {
  LOG_UNWRITABLE,
  MAX_FOLLOW_ITEMS,
  MAX_FOLLOW_MILLISECONDS,
  MAX_SV_CHANGES,
  MAX_TOPOLOGY_PARTIES,
  type NetworkBeginning,
  type NetworkState,
  partyPageText,
  type RegisteredMember,
  type SequencerProof,
  type StreamPage,
  type SvChanges,
  sequencerApi,
} from "./sequencer/api.ts";
export type { HeldContracts, HostedParties } from "./sequencer/member-state.ts";
export {
  type CopyPage,
  type CopyQuestion,
  copyPageMessage,
  copyQuestionMessage,
  type HeldQuestion,
  type HeldStatement,
  headMessage,
  heldMessage,
  type SignedHead,
  type SnapshotPartQuestion,
  snapshotPartMessage,
  type TickQuestion,
  tickMessage,
} from "./sequencer/peer-operations.ts";
export {
  ANSWER_SEAL_HEADER,
  openingMessage,
  type SessionOpening,
  sealedText,
  sessionMessage,
  svKeyMessage,
} from "./sequencer/session-texts.ts";
export {
  kindOfUpdate,
  type StreamCompletion,
  type StreamError,
  type StreamEvent,
  type StreamItem,
  type StreamUpdate,
} from "./sequencer/stream-item.ts";
export type { WireAutomationStatus } from "./splice/automations.ts";
export type { ContractWithState, MaybeCachedContractWithState, WireContract } from "./splice/contract.ts";
export type { AnsEntry } from "./splice/entries.ts";
export type { HealthStatus, Version } from "./splice/health.ts";
export { healthApi } from "./splice/health-api.ts";
export {
  formatInstanceNames,
  type InstanceNames,
  type SpliceInstanceNames,
} from "./splice/instance-names.ts";
export {
  parseSpliceBody,
  parseSpliceParams,
  parseSpliceQuery,
  parseSpliceRequest,
} from "./splice/parse-request.ts";
export { findPartyProblem } from "./splice/party-parameter.ts";
export {
  bodyTooLarge,
  noWallet,
  type Realm,
  SpliceError,
  spliceError,
  tooManyRequests,
  tooSlow,
  unauthenticated,
  unauthorized,
  unexpectedError,
  unknownPath,
  wrongMethod,
} from "./splice/rejections.ts";
export type { ListVoteResultsRequest } from "./splice/vote-results.ts";
export { svApi } from "./sv/api.ts";
export type { OnboardingRecord, OnboardRequest, OngoingOnboarding } from "./sv/onboarding.ts";
export type { SvOnboardingStatus } from "./sv/sv-onboarding.ts";
export type { CastVoteRequest, CreateVoteRequest } from "./sv/votes.ts";
export type {
  AllocateAmuletRequest,
  AllocationResult,
  WithdrawnAllocation,
} from "./validator/allocations.ts";
export type { AmuletList } from "./validator/amulets.ts";
export { validatorApi, validatorApiWithoutWallet } from "./validator/api.ts";
export type { AllocateRequest, EndedFundCoupon } from "./validator/development-fund.ts";
export type { NameRequest, OwnedEntry } from "./validator/entries.ts";
export type {
  DomainMigrationDump,
  NodeIdentitiesDump,
  ParticipantUsersData,
  WireSequencerConnections,
} from "./validator/participant.ts";
export type { CreatedPreapproval, TransferPreapprovalSendRequest } from "./validator/preapprovals.ts";
export { type Proxied, type ProxiedId, proxiedId } from "./validator/proxied.ts";
export { forwardedToScan } from "./validator/scan-proxy.ts";
export type { SubscriptionListItem } from "./validator/subscriptions.ts";
export type { CreateTokenTransferRequest, TokenTransferResult } from "./validator/token-transfers.ts";
export type { BuyTrafficStatus, CreateBuyTrafficRequest } from "./validator/traffic-requests.ts";
export type { RefundReason, TransactionItem } from "./validator/transactions.ts";
export type { CreateTransferOfferRequest, TransferOfferStatus } from "./validator/transfer-offers.ts";
export type { Balance } from "./validator/wallet.ts";
export type { WebConfig, WebHome, WebLogin } from "./web/web-config.ts";
export { check } from "./wire/check.ts";
export { parseDuration } from "./wire/duration.ts";
export { int32Parameter } from "./wire/numbers.ts";
