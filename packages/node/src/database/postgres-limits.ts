/** Bounds of a node's use of its PostgreSQL server. */
export const CONNECT_MILLISECONDS = 5000;
/** The server ends a statement after this time; a migration may take longer. */
export const STATEMENT_MILLISECONDS = 60_000;
export const MIGRATION_MILLISECONDS = 3_600_000;
/** The server's answer comes at most so much later than its own limit; then the connection counts as lost. */
export const ANSWER_MARGIN_MILLISECONDS = 10_000;
export const LOCK_MILLISECONDS = 10_000;
/** A transaction whose process is gone ends after this time. */
export const IDLE_TRANSACTION_MILLISECONDS = 60_000;
/** The server notices a dead machine after `idle + interval * count` seconds, and frees its lock. */
export const KEEPALIVE_SECONDS = { idle: 10, interval: 5, count: 3 };
export const MAX_READERS = 4;
/** Statements and transactions that wait for a connection. */
export const MAX_WAITING = 10_000;
/** Statements are few and written in our source; this only guards against a mistake. */
export const MAX_STATEMENTS = 1000;
/** Pauses between attempts to connect: calls in between fail at once. */
export const CONNECT_BACKOFF = { firstMilliseconds: 50, longestMilliseconds: 2000 };
/** At a start, a server that does not answer is waited for. */
export const OPEN_PATIENCE_MILLISECONDS = 30_000;
export const OPEN_BACKOFF = { firstMilliseconds: 200, longestMilliseconds: 5000 };
/** The time in which the outcome of an interrupted commit is found out. */
export const DOUBT_MILLISECONDS = 30_000;
/** The sessions of a killed process end a moment after it. */
export const LOCK_PATIENCE_MILLISECONDS = 3000;
export const LOCK_POLL_MILLISECONDS = 100;
/** A connection that does not close in time is cut. */
export const DISCONNECT_MILLISECONDS = 2000;
