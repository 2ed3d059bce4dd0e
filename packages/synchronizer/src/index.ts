/** The public interface of @callsign/synchronizer. */
export { MemberStreams, STREAM_BEGIN } from "./member-streams.ts";
export { mountSequencer, networkTime } from "./mount-sequencer.ts";
export type { Appended, LogBatch, LogHead, LogPage, OrderedLog } from "./ordered-log.ts";
export { Replica, type ReplicaHook } from "./replica.ts";
export { REPLICA_SCHEMA } from "./replica-schema.ts";
export { MalformedEnvelope, Sequencer, SequencerOverloaded } from "./sequencer.ts";
export { SqliteLog } from "./sqlite-log.ts";
export { SqliteState } from "./sqlite-state.ts";
export { Ticker } from "./ticker.ts";
