/** Scan's limits and time constants. docs/configuration.md lists those that operators and clients notice. */

/** Answers to lookups that stay in memory: so many by name, and so many by party. */
export const CACHED_NAMES = 50_000;
/** The longest wait for a record time: longer than an entry takes to reach an SV in good health. */
export const MAX_RECORD_TIME_WAIT_MILLISECONDS = 10_000;
/** Each waiting call takes the place of a call that could be answered at once. */
export const MAX_WAITING_CALLS = 200;
/**
 * The part of the database that SQLite maps into memory instead of copying it page by page; SQLite allows 2 GiB. A lookup
 * among a million names takes a third less time that way.
 */
export const MAPPED_BYTES = 2 ** 31 - 2 ** 16;
