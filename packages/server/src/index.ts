/** What other packages may use of the server, by name. */
export { DatabaseInUse, inTransaction, openDatabase } from "./database/open-database.ts";
export { ScanIndex, type ScanIndexOptions } from "./scan/scan-index.ts";
export { MemberStreams, STREAM_BEGIN } from "./synchronizer/member-streams.ts";
export type { Appended, LogBatch, LogHead, LogPage, OrderedLog } from "./synchronizer/ordered-log.ts";
export { Replica, type ReplicaHook } from "./synchronizer/replica.ts";
export { MalformedEnvelope, Sequencer, SequencerOverloaded } from "./synchronizer/sequencer.ts";
export { SqliteLog } from "./synchronizer/sqlite-log.ts";
export { SqliteState } from "./synchronizer/sqlite-state.ts";
