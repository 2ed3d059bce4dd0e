/** The synchronizer's limits and time constants. docs/configuration.md lists those that operators and members notice. */

// The log.
/** Entries that a follower gets at a time, and their characters together; a page has one entry at least. */
export const LOG_PAGE = 50;
export const LOG_PAGE_CHARACTERS = 8_000_000;
/** Entries of an SV's copy of the log that are shown at a time, to restore the log. */
export const COPY_PAGE = 500;
/** Pauses after a failure to read a log that is kept elsewhere, or to write the copy of it. */
export const COPY_RETRY = { firstMilliseconds: 100, longestMilliseconds: 5000 } as const;
/** Entries that are trimmed in one transaction. */
export const TRIMMED_AT_ONCE = 1000;

// Logs on servers.
/** Batches that wait while others are appended. */
export const MAX_WAITING_BATCHES = 10_000;
/** The time in which the outcome of an append without an answer is found out. */
export const APPEND_DOUBT_MILLISECONDS = 30_000;
export const APPEND_RETRY_BACKOFF = { firstMilliseconds: 20, longestMilliseconds: 500 };
/** A notification may be lost with its connection: the head is read again after this. */
export const LOG_POLL_MILLISECONDS = 1000;
export const LOG_READ_BACKOFF = { firstMilliseconds: 50, longestMilliseconds: 2000 };

// The log on PostgreSQL.
/** Characters of batches that are appended together; at least one batch. */
export const CHARACTERS_AT_ONCE = 4_000_000;
/** A batch that still fits after each lost race is tried so often. */
export const MAX_LOST_RACES = 100;
/** An append or a trial write that takes longer makes the log unwritable until it is answered. */
export const SLOW_WRITE_MILLISECONDS = 5000;

// The log on NATS.
/** The largest batch in UTF-8: a part of an earlier state, or a full batch of three-byte characters, with signatures. */
export const LARGEST_MESSAGE_BYTES = 20_000_000;
/** The part of a message that its headers may take. */
export const HEADER_BYTES = 1000;
/** Waiting batches that follow each other share a message up to this size. */
export const SHARED_MESSAGE_BYTES = 4_000_000;
/** The time in which a server should answer; then the call is repeated. */
export const NATS_TIMEOUT_MILLISECONDS = 2000;
/** Servers that have not answered so long after the last one are taken for missing. */
export const NATS_ANSWERS_MILLISECONDS = 300;
/** The time in which a head, a term or a trim is tried again before it fails. */
export const NATS_PATIENCE_MILLISECONDS = 30_000;
/** A term is not read again so soon: an election of another leader takes several times that. */
export const TERM_MILLISECONDS = 50;
/** The time that a log's last batches have when it is closed. */
export const LOG_CLOSE_MILLISECONDS = 5000;

// The replica.
/** Rows that stay in memory between pages. */
export const REMEMBERED_CONTRACTS = 5000;
export const REMEMBERED_MEMBERS = 10_000;
export const REMEMBERED_PARTIES = 50_000;
/** Frames of the keys of used ids. */
export const REMEMBERED_FRAMES = 5000;
/** Ids that an entry looked for and that were not used: more than the entries of a commit. */
export const REMEMBERED_ABSENT_IDS = 1000;
/** The time, and the entries, for which a replica's pages share a transaction. */
export const COMMIT_MILLISECONDS = 2000;
export const COMMIT_ENTRIES = 512;
/**
 * A page is applied in slices of this time, between which others of the process have their turn. A slice that is committed by itself is
 * longer, because its commit waits for the disk.
 */
export const SLICE_MILLISECONDS = 3;
export const COMMITTED_SLICE_MILLISECONDS = 25;
/** The longest time by which a commit that nothing waits for is later, and the pauses between its slices. */
export const COMMIT_SPREAD_MILLISECONDS = 1000;
export const COMMIT_PAUSE_MILLISECONDS = 25;
/** Slices of rows that are written ahead of a commit, while other entries may be applied; the commit writes the rest. */
export const COMMIT_SLICES = 100;
/**
 * Texts of entries are packed together up to this number of log entries and about this length: a reader of one unpacks all of them. Texts of
 * more than 64,000 characters are compressed by themselves, which takes a tenth of the time that shorter ones take.
 */
export const PACKED_ENTRIES = 128;
export const PACKED_CHARACTERS = 80_000;
/** A backfill of millions of contracts is handed over in parts. */
export const BACKFILL_PART = 1000;

/** Applied entries whose digests other SVs can compare with theirs. */
export const REMEMBERED_HEADS = 1000;

// Snapshots and pruning.
/** The size of a snapshot's part; it has one row at least. */
export const SNAPSHOT_PART_CHARACTERS = 1_000_000;
/** Pauses between attempts to attest a snapshot, to prune or to fetch a part. */
export const SNAPSHOT_RETRY = { firstMilliseconds: 1000, longestMilliseconds: 60_000 } as const;
/** Stream items that are pruned in one transaction. */
export const PRUNED_AT_ONCE = 1000;

// Other SVs.
/** Pauses after a call to another SV that failed. */
export const PEER_RETRY = { firstMilliseconds: 100, longestMilliseconds: 5000 } as const;
/** More waiting calls than other SVs make. */
export const MAX_WAITING_PEERS = 100;
/** Terms of the log's server that an SV remembers having left. */
export const MAX_COPY_TERMS = 1000;
/** An SV that has not answered by then counts as silent. */
export const PEER_ANSWER_MILLISECONDS = 5000;

// Restoring a log that lost its tail.
/** A page of another SV's copy: entries of 20 MB, with the escapes of JSON. */
export const COPY_ANSWER_BYTES = 64 * 1024 * 1024;
/** An SV that has not shown a page of its copy by then counts as silent. */
export const COPY_ANSWER_MILLISECONDS = 10_000;
/** Pauses before silent SVs are asked again. */
export const RESTORE_RETRY = { firstMilliseconds: 500, longestMilliseconds: 5000 } as const;

// The scrub.
/** Nothing is checked so soon after the start. */
export const SCRUB_START_MILLISECONDS = 60_000;
/** Rows, or log entries, that are checked at a time. */
export const SCRUBBED_AT_ONCE = 50;
/** The shortest pause between two parts; it is longer in proportion to the time that the last part took. */
export const SCRUB_PAUSE_MILLISECONDS = 1000;
/** A pause is so many times as long as the part before it: the scrub takes a thousandth of a processor at most. */
export const SCRUB_PAUSE_FACTOR = 1000;
/** The rest between two rounds. */
export const SCRUB_REST_MILLISECONDS = 6 * 3_600_000;
/** Parts after which the position is saved. */
export const SCRUB_SAVED_AFTER = 60;

// Streams of members.
/** The bytes of one page; a participant accepts several times that in an answer. */
export const MAX_STREAM_PAGE_BYTES = 4_000_000;
/** Bodies of the last items of all streams that stay in memory. */
export const RECENT_BODY_CHARACTERS = 1_000_000;
/** Fewer than the calls that a port answers at a time, so that other calls are heard. */
export const MAX_WAITING_FOLLOWERS = 800;
/** A participant needs one, and one more after each connection that it lost. */
export const MAX_WAITING_FOLLOWERS_OF_MEMBER = 4;

// The sequencer.
export const MAX_QUEUED_ENTRIES = 5000;
export const MAX_QUEUED_CHARACTERS = 64_000_000;
export const MAX_BATCH_ENTRIES = 200;
export const MAX_BATCH_CHARACTERS = 4_000_000;
/** Becoming a member costs nothing, and the network keeps every member for ever. */
export const NEW_MEMBERS_AT_ONCE = 10;
export const NEW_MEMBERS_PER_SECOND = 1;
/** An entry that was not applied by then no longer counts as in flight. */
export const IN_FLIGHT_MILLISECONDS = 10_000;
export const CHALLENGE_MILLISECONDS = 60_000;
export const SESSION_MILLISECONDS = 3_600_000;
export const MAX_CHALLENGES = 10_000;
export const MAX_SESSIONS = 10_000;
export const MAX_SESSIONS_OF_MEMBER = 16;

// The state of a member's parties, for a member that lacks pruned items.
/** Contracts that a page looks through: other work waits meanwhile. */
export const STATE_PAGE_CONTRACTS = 1000;
/** A page ends with the contract that brings the payloads to so many characters. */
export const STATE_PAGE_CHARACTERS = 1_000_000;
export const STATE_PAGE_PARTIES = 1000;

// The clock of the stamps, from protocol version 4 on.
/** A backed time that is older than this is renewed by ticks of other SVs. */
export const STALE_TIME_SECONDS = 30n;
/** The time in which other SVs should tick. */
export const ASK_TICKS_MILLISECONDS = 5000;
/** The least time between two requests for ticks. */
export const ASK_TICKS_PAUSE_MILLISECONDS = 5000;

// The ticker.
/** Deadlines far ahead are read again after this. */
export const LONGEST_TICK_WAIT_MILLISECONDS = 60_000;
export const SHORTEST_TICK_WAIT_MILLISECONDS = 20;
/** Each SV waits so much longer than the SV before it. */
export const TICK_STEP_MILLISECONDS = 100;
/** The least time between two ticks for one deadline, and after a tick that failed. */
export const TICK_PAUSE_MILLISECONDS = 1000;
/** The time in which the replica should apply a tick; then another is tried. */
export const APPLY_TICK_MILLISECONDS = 30_000;

/** Members whose traffic metrics show. */
export const SHOWN_MEMBERS = 1000;
