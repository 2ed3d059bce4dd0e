/** The synchronizer's limits and time constants. docs/configuration.md lists those that operators and members notice. */

// The log.
/** Entries that a follower gets at a time, and their characters together; a page has one entry at least. */
export const LOG_PAGE = 500;
export const LOG_PAGE_CHARACTERS = 8_000_000;

// The replica.
/** Rows that stay in memory between pages. */
export const REMEMBERED_CONTRACTS = 5000;
export const REMEMBERED_MEMBERS = 10_000;
export const REMEMBERED_PARTIES = 50_000;
/** A backfill of millions of contracts is handed over in parts. */
export const BACKFILL_PART = 1000;

// Streams of members.
/** The bytes of one page; a participant accepts several times that in an answer. */
export const MAX_STREAM_PAGE_BYTES = 4_000_000;
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
