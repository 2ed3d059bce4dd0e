/** The public interface of @callsign/synchronizer. */

export type { LogBatch, LogHead, OrderedLog } from "./log/ordered-log.ts";
export { logStore, SqliteLog } from "./log/sqlite-log.ts";
export { catchUp } from "./replica/catch-up.ts";
export type {
  ArchivedContract,
  CreatedContract,
  ReplicaChange,
  ReplicaConsumer,
} from "./replica/consumer.ts";
export { recordKinds } from "./replica/consumers.ts";
export { type CarriedHistory, exportState } from "./replica/export-state.ts";
export { Replica } from "./replica/replica.ts";
export { declareReplicaMetrics } from "./replica/replica-metrics.ts";
export { SqliteState } from "./replica/sqlite-state.ts";
export { mountSequencer, networkTime } from "./sequencer/mount-sequencer.ts";
export { Sequencer, SequencerOverloaded } from "./sequencer/sequencer.ts";
export { Ticker } from "./sequencer/ticker.ts";
export { MemberStreams } from "./streams/member-streams.ts";
