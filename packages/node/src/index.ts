/** The public interface of @callsign/node. */

export {
  ArchiveDamaged,
  type Archived,
  ArchiveRefused,
} from "./archive/archive-format.ts";
export { isArchived } from "./archive/compare-archive.ts";
export { loadPostgresArchives } from "./archive/load-postgres-archives.ts";
export { checkArchive } from "./archive/read-archive.ts";
export { beginFolder, commitFolder, finishFolder } from "./archive/restore-folder.ts";
export { openFileSnapshot, restoreFile } from "./archive/sqlite-archive.ts";
export type { StoreSnapshot } from "./archive/store-snapshot.ts";
export { writeArchive } from "./archive/write-archive.ts";
export { readBearerToken } from "./auth/bearer-token.ts";
export { openTokenSource, type TokenSourceConfig } from "./auth/open-token-source.ts";
export { TokenUnavailable } from "./auth/openid-tokens.ts";
export { parseKeySet } from "./auth/parse-key-set.ts";
export type { TokenTimes } from "./auth/token-times.ts";
export {
  createSignatureVerifier,
  createTokenVerifier,
  openTokenKeys,
  type TokenKeysConfig,
  type TokenVerifierConfig,
  type TokenVerifierConfigs,
  type TokenVerifierParts,
} from "./auth/token-verifier.ts";
export {
  TokenRejected,
  type TokenVerifier,
  type VerifiedToken,
  type VerifyToken,
} from "./auth/verified-token.ts";
export { declareAutomationMetrics } from "./automation/automation-metrics.ts";
export {
  type AutomationStatus,
  type AutomationWait,
  formatAutomationStatus,
  type TasksStatus,
} from "./automation/automation-status.ts";
export { checkPaused } from "./automation/check-paused.ts";
export { SHOWN_TASKS } from "./automation/limits.ts";
export {
  type DueTask,
  type LedgerAdvance,
  type ListedAutomation,
  onePage,
} from "./automation/listed-automation.ts";
export { ListedRunners } from "./automation/listed-runners.ts";
export { rankOf, type SharedTask } from "./automation/shared-task.ts";
export { type SubjectOutcome, SubjectRunner, type SubjectRunnerStatus } from "./automation/subject-runner.ts";
export type { Tally } from "./automation/tally.ts";
export {
  DONE,
  failed,
  SKIPPED,
  STALE,
  type TaskDetails,
  type TaskNotDone,
  type TaskOutcome,
  waiting,
} from "./automation/task-outcome.ts";
export { TriggerMetrics } from "./automation/trigger-metrics.ts";
export { type ControlHandlers, startControlServer } from "./control/control-server.ts";
export { callProcess, isRunning, ProcessRefused, ProcessUnreachable } from "./control/control-socket.ts";
export {
  isDamage,
  markDamaged,
  moveAside,
  openRebuildable,
  type RebuiltFile,
  removeDatabase,
} from "./database/damaged-files.ts";
export { indexedText, mayNeedHash } from "./database/indexed-text.ts";
export { formatJson, parseJson } from "./database/json-with-bigints.ts";
export {
  checkMigrated,
  migrateDatabase,
  migrateStore,
  StoreIsNewer,
  type StoreMigrations,
} from "./database/migrations.ts";
export {
  asPassingFailure,
  asUnwritable,
  boundWriteAheadLog,
  copyDatabase,
  inTransaction,
  isSqliteDamage,
  openDatabase,
  setSynced,
  unwritableBy,
} from "./database/open-database.ts";
export { openStore, type StoreParts, type StorePlace } from "./database/open-store.ts";
export {
  examinePostgres,
  hasPostgresStore,
  openPostgresSessions,
  openPostgresStore,
} from "./database/postgres.ts";
export type { PostgresConfig, PostgresSsl } from "./database/postgres-config.ts";
export type { PostgresConnection } from "./database/postgres-connection.ts";
export type { PostgresSessions } from "./database/postgres-sessions.ts";
export { insertInto, listsForIn, placesFrom, type SqlValues, shortLists } from "./database/row-lists.ts";
export { SharedTransaction } from "./database/shared-transaction.ts";
export { openSqliteStore, SqliteStore } from "./database/sqlite-store.ts";
export type { Sql, SqlRow, SqlValue, Store } from "./database/store.ts";
export type { StoreDefinition } from "./database/store-definition.ts";
export {
  DatabaseDamaged,
  DatabaseInUse,
  DatabaseRefused,
  StoreInDoubt,
  StoreUnavailable,
  StoreUnwritable,
} from "./database/store-errors.ts";
export { isMoved, markMoved, RESTORING, refuseMarked } from "./database/store-marks.ts";
export { WalSync } from "./database/wal-sync.ts";
export { WriteBatches } from "./database/write-batches.ts";
export { errorCodeOf } from "./host/error-code.ts";
export type {
  Clock,
  DatabaseOptions,
  FoundFile,
  Host,
  HttpClient,
  Randomness,
  Timer,
  Timers,
} from "./host/host.ts";
export type { ForwardProxy, OutgoingOptions } from "./host/outgoing.ts";
export { readWeights } from "./http/accepted-weights.ts";
export { type Answer, RawJson, Reply } from "./http/answer.ts";
export type { Call, Incoming } from "./http/call.ts";
export { EventStream } from "./http/event-stream.ts";
export {
  checkedRarely,
  type HealthParts,
  health,
  isHealthCall,
  missingHeader,
  SPOKEN_VERSION,
} from "./http/health.ts";
export { type HttpServer, startHttpServer } from "./http/http-server.ts";
export { type CallRate, type CallRates, type Listening, listeningOf } from "./http/listening.ts";
export {
  type AllowedCallers,
  type FindForeignCaller,
  hostNameOf,
  localCallers,
} from "./http/local-caller.ts";
export {
  type CallRules,
  type Handlers,
  type MountedApi,
  type MountParts,
  mountApi,
  openToAll,
} from "./http/mount-api.ts";
export { listen } from "./http/port-server.ts";
export type { FindReady, ReadyAnswer } from "./http/ready-answer.ts";
export { readyTextAt, readyTextOfCallerAt } from "./http/ready-text.ts";
export { HangUp, LedgerFailure, Refusal } from "./http/refusal.ts";
export { authenticateUser, findToken, tokenUserOf } from "./http/splice-authentication.ts";
export type { StreamParts, Streams } from "./http/streams.ts";
export { WebApplication } from "./http/web-application.ts";
export { findHome, type WebPages } from "./http/web-pages.ts";
export { askByChannel, type ChannelAnswered } from "./http-client/ask-by-channel.ts";
export { ClientTls } from "./http-client/client-tls.ts";
export {
  describeServer,
  explainWrongServer,
  findOtherRole,
  formatServer,
  type ServerRole,
} from "./http-client/describe-server.ts";
export { explainTlsFailure } from "./http-client/explain-tls-failure.ts";
export { fetchText } from "./http-client/fetch-text.ts";
export { type AnswerStanding, LookupChannel } from "./http-client/lookup-channel.ts";
export { parseProxyOptions } from "./http-client/parse-proxy-options.ts";
export { withOutgoing } from "./http-client/with-outgoing.ts";
export type { RegisteredKeys } from "./identity/decide-rotation.ts";
export { findMemberIdentity, KeptIdentity, loadMemberIdentity } from "./identity/kept-identity.ts";
export {
  type KeyLedger,
  KeyRotation,
  type RotationOptions,
  RotationRefused,
} from "./identity/key-rotation.ts";
export { createVerify, type SigningKey, sha256 } from "./identity/keys.ts";
export {
  IDENTITY_FILE,
  identityOf,
  type MemberIdentity,
  makeIdentity,
  type PrivateIdentity,
  parseIdentity,
  readIdentityFile,
  signEntry,
  writeIdentityFile,
} from "./identity/member-identity.ts";
export { type EphemeralKey, makeEphemeralKey, type SessionKey } from "./identity/session-key.ts";
export { SignatureChecks } from "./identity/signature-checks.ts";
export { declareCertificateMetrics } from "./monitoring/certificate-metrics.ts";
export { ClientMetrics, measureClient } from "./monitoring/client-metrics.ts";
export { startHealthServer } from "./monitoring/health-server.ts";
export { startMetricsServer } from "./monitoring/metrics-server.ts";
export {
  createLog,
  type Log,
  silentLog,
} from "./observability/log.ts";
export {
  AMOUNTS,
  counter,
  gauge,
  histogram,
  SECONDS,
} from "./observability/metric-declaration.ts";
export { type CountedValue, Metrics, oncePerTurn, type Sample } from "./observability/metrics.ts";
export { declareProcessMetrics } from "./observability/process-metrics.ts";
export { formatReadable } from "./observability/readable-line.ts";
export { StoreMetrics } from "./observability/store-metrics.ts";
export { compressText, decompressText, isCompressedText } from "./packing/compressed-text.ts";
export { bytesOfHex, hexOf } from "./packing/hex-bytes.ts";
export { packText, unpackText } from "./packing/packed-text.ts";
export {
  type LoadedDictionaries,
  StoreDictionaries,
  TEXT_DICTIONARIES,
} from "./packing/store-dictionaries.ts";
export {
  type DictionaryRow,
  type DictionaryRows,
  type NumberedDictionary,
  PackedTextDamaged,
  TextDictionaries,
} from "./packing/text-dictionaries.ts";
export { CannotStart } from "./process/cannot-start.ts";
export { allOrNone, Closing } from "./process/closing.ts";
export { type FoundRecord, readProcessRecord, writeProcessRecord } from "./process/process-record.ts";
export { untilStopped } from "./process/until-stopped.ts";
export { VERSION } from "./process/version.ts";
export { systemHost } from "./system-host.ts";
export {
  readTlsClient,
  readTlsServer,
} from "./tls/read-tls.ts";
export type {
  CertificateFiles,
  ClientAuth,
  TlsClientConfig,
  TlsServerConfig,
  TlsVersion,
} from "./tls/tls-config.ts";
export { TlsFilesRejected } from "./tls/tls-files-rejected.ts";
export { onAbort, untilAborted } from "./waiting/abort.ts";
export { Backoff, type BackoffOptions, backoffMilliseconds } from "./waiting/backoff.ts";
export { Bell } from "./waiting/bell.ts";
export { BoundedMap } from "./waiting/bounded-map.ts";
export { CachedRead } from "./waiting/cached-read.ts";
export { type Deadline, startDeadline, waitAtMost, withDeadline } from "./waiting/deadline.ts";
export { startInterval } from "./waiting/interval.ts";
export { KeyedQueue } from "./waiting/keyed-queue.ts";
export { Quota } from "./waiting/quota.ts";
export { rememberLast } from "./waiting/remember-last.ts";
export { type RetryOptions, repeat, retry } from "./waiting/retry.ts";
export { nextTurn, sleep } from "./waiting/sleep.ts";
export { TokenBucket } from "./waiting/token-bucket.ts";
export type { WebsocketLimits } from "./websockets/websocket-limits.ts";
export { serveWebsockets } from "./websockets/websockets.ts";
export { explainArguments } from "./words/explain-arguments.ts";
export { formatTable } from "./words/format-table.ts";
export { findNearestWord, suggestWord } from "./words/nearest-word.ts";
export { plainText } from "./words/plain-text.ts";
export { quoteForShell } from "./words/quote-for-shell.ts";
export { type RunningWorker, runWorker, type StartWorker, type WorkerContext } from "./workers/run-worker.ts";
export { startWorkers, type WorkerProcesses, type WorkerProcessesParts } from "./workers/worker-processes.ts";
