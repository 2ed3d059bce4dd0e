/** The public interface of @callsign/synchronizer. */

export { CopiedLog } from "./log/copied-log.ts";
export { copyLog, type LogCopy } from "./log/copy-log.ts";
export { CopyTerms } from "./log/copy-terms.ts";
export { NATS_RISKS, type NatsLogConfig, type NatsRisk } from "./log/nats-config.ts";
export { openNatsLog } from "./log/open-nats-log.ts";
export {
  describeOrderedLog,
  type OrderedLogSettings,
  openOrderedLog,
  type SharedLogSettings,
} from "./log/open-ordered-log.ts";
export { openPostgresLog } from "./log/open-postgres-log.ts";
export { type LogBatch, type LogHead, LogTrimmed, type OrderedLog } from "./log/ordered-log.ts";
export { POSTGRES_RISKS, type PostgresRisk } from "./log/postgres-log-safety.ts";
export { readFirstEntry } from "./log/read-first-entry.ts";
export { SqliteLog } from "./log/sqlite-log.ts";
export { findLogStart, logStore } from "./log/sqlite-log-rows.ts";
export { clearTerm } from "./peers/clear-term.ts";
export { HttpPeer } from "./peers/http-peer.ts";
export { OwnPeer } from "./peers/own-peer.ts";
export type { Peer, PeerSource } from "./peers/peer.ts";
export { declarePeerMetrics } from "./peers/peer-metrics.ts";
export { Peers } from "./peers/peers.ts";
export { ProcessPeers } from "./peers/process-peers.ts";
export { svSignatures } from "./peers/sv-signatures.ts";
export { LogPruner } from "./pruning/log-pruner.ts";
export { AppliedHeads } from "./replica/applied-heads.ts";
export { catchUp } from "./replica/catch-up.ts";
export { openCheckedDictionaries } from "./replica/checked-dictionaries.ts";
export {
  type CheckedQuery,
  CheckedRows,
  isReplicaDamage,
  ReplicaDamaged,
  type Row,
} from "./replica/checked-rows.ts";
export type {
  ArchivedContract,
  CreatedContract,
  DerivedTable,
  HistoryTable,
  ReplicaChange,
  ReplicaConsumer,
} from "./replica/consumer.ts";
export { creationPlace } from "./replica/consumer.ts";
export { recordKinds } from "./replica/consumers.ts";
export {
  addIdBytes,
  contractIdColumns,
  keptContractId,
  readKeptId,
} from "./replica/contract-id-bytes.ts";
export { type CarriedHistory, exportState } from "./replica/export-state.ts";
export { KeyedRows } from "./replica/keyed-rows.ts";
export { findLine, type Line, LineBlocks } from "./replica/line-blocks.ts";
export { CONTRACT_BODY, CONTRACT_PAYLOAD } from "./replica/payload-texts.ts";
export { Replica } from "./replica/replica.ts";
export { declareReplicaMetrics } from "./replica/replica-metrics.ts";
export type { CheckedTable, CheckedValue } from "./replica/row-check.ts";
export { addSummedChecks, RowSums, type SummedDatabase } from "./replica/row-sums.ts";
export { shareOutcomes } from "./replica/shared-outcomes.ts";
export { SqliteState } from "./replica/sqlite-state.ts";
export {
  countToDisprove,
  type DecidedEntry,
  decideRestore,
  type HeldEntry,
  type RestoreDecision,
  type RestoreEnd,
  type RestoreEvidence,
  type RestoreWords,
  type ShownTail,
} from "./restore/decide-restore.ts";
export { type RestoreOutcome, restoreLog } from "./restore/restore-log.ts";
export { openScrub } from "./scrub/open-scrub.ts";
export type { Scrub } from "./scrub/scrub.ts";
export { declareScrubMetrics } from "./scrub/scrub-metrics.ts";
export { ScrubFinding } from "./scrub/scrub-part.ts";
export { mountSequencer, networkTime } from "./sequencer/mount-sequencer.ts";
export type { PeerRouteParts } from "./sequencer/peer-routes.ts";
export { Sequencer, SequencerOverloaded } from "./sequencer/sequencer.ts";
export { ClockNotBacked, StampClock, type StampClockParts } from "./sequencer/stamp-clock.ts";
export { Ticker } from "./sequencer/ticker.ts";
export { checkSnapshot } from "./snapshots/check-snapshot.ts";
export { fetchSnapshot } from "./snapshots/fetch-snapshot.ts";
export { loadSnapshot } from "./snapshots/load-snapshot.ts";
export type { SnapshotFile, SnapshotProof, SnapshotSource } from "./snapshots/snapshot-file.ts";
export { SnapshotFolder } from "./snapshots/snapshot-folder.ts";
export { type SnapshotClaim, SnapshotMaker } from "./snapshots/snapshot-maker.ts";
export { declareSnapshotMetrics } from "./snapshots/snapshot-metrics.ts";
export type { SnapshotManifest } from "./snapshots/snapshot-parts.ts";
export { MemberStreams } from "./streams/member-streams.ts";
