/** The public interface of @callsign/synchronizer. */

export type { Appended, LogBatch, LogHead, LogPage, OrderedLog } from "./log/ordered-log.ts";
export { SqliteLog } from "./log/sqlite-log.ts";
export { Replica, type ReplicaHook } from "./replica/replica.ts";
export { REPLICA_SCHEMA } from "./replica/replica-schema.ts";
export { SqliteState } from "./replica/sqlite-state.ts";
export { mountSequencer, networkTime } from "./sequencer/mount-sequencer.ts";
export { MalformedEnvelope, Sequencer, SequencerOverloaded } from "./sequencer/sequencer.ts";
export { Ticker } from "./sequencer/ticker.ts";
export { MemberStreams, STREAM_BEGIN } from "./streams/member-streams.ts";
