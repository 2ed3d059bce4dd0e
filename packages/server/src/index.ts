/** What other packages may use of the server, by name. */
export { DatabaseDamaged, DatabaseInUse, inTransaction, openDatabase } from "./database/open-database.ts";
export { type HttpServer, startHttpServer } from "./http/http-server.ts";
export { type MountedApi, mountApi, openToAll } from "./http/mount-api.ts";
export { answerAsRequest } from "./http/raw-answer.ts";
export { Refusal } from "./http/refusal.ts";
export { createVerify, sha256 } from "./identity/keys.ts";
export { loadMemberIdentity, type MemberIdentity, signEntry } from "./identity/member-identity.ts";
export { SignatureChecks } from "./identity/signature-checks.ts";
export { createLog, type Log, type LogLevel, silentLog } from "./observability/log.ts";
export { formatMetrics, METRICS_TYPE, type Metric } from "./observability/metrics.ts";
export { type Participant, startParticipant } from "./participant/start-participant.ts";
export { ScanIndex, type ScanIndexOptions } from "./scan/scan-index.ts";
export { Agenda } from "./sv/agenda/agenda.ts";
export type { AutomationStatus } from "./sv/automation/automation-status.ts";
export { settleAutomations } from "./sv/automation/settle-automations.ts";
export {
  SvAutomation,
  type SvAutomationParts,
  type SvAutomationStatus,
} from "./sv/automation/sv-automation.ts";
export {
  type FoundingMember,
  foundNetwork,
  type NetworkFounding,
  svPartyOf,
} from "./sv/found-network.ts";
export { type SvNode, startSvNode } from "./sv/sv-node.ts";
export { SV_AUTOMATIONS, type SvAutomationName } from "./sv/sv-node-config.ts";
export { MemberStreams, STREAM_BEGIN } from "./synchronizer/member-streams.ts";
export type { Appended, LogBatch, LogHead, LogPage, OrderedLog } from "./synchronizer/ordered-log.ts";
export { Replica, type ReplicaHook } from "./synchronizer/replica.ts";
export { MalformedEnvelope, Sequencer, SequencerOverloaded } from "./synchronizer/sequencer.ts";
export { SqliteLog } from "./synchronizer/sqlite-log.ts";
export { SqliteState } from "./synchronizer/sqlite-state.ts";
export {
  AUTOMATIONS as VALIDATOR_AUTOMATIONS,
  type AutomationName as ValidatorAutomation,
} from "./validator/automation/automation.ts";
export type { TopUpConfig } from "./validator/automation/top-up-terms.ts";
export { startValidator, type Validator, type ValidatorConfig } from "./validator/start-validator.ts";
