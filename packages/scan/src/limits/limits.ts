/** Scan's limits and time constants. docs/configuration.md lists those that operators and clients notice. */
import { DAY, MINUTE } from "@callsign/ledger";

/** Answers to lookups that stay in memory: so many by name, and so many by party. */
export const CACHED_NAMES = 50_000;
/** A cache keeps an entry for at most this time: a renewal shows no later. */
export const MAX_CACHED_SECONDS = 60;
/** The longest wait for a record time: longer than an entry takes to reach an SV in good health. */
export const MAX_RECORD_TIME_WAIT_MILLISECONDS = 10_000;
/** Each waiting call takes the place of a call that could be answered at once. */
export const MAX_WAITING_CALLS = 200;
/**
 * The part of the database that SQLite maps into memory instead of copying it page by page; SQLite allows 2 GiB. A lookup
 * among a million names takes a third less time that way.
 */
export const MAPPED_BYTES = 2 ** 31 - 2 ** 16;

/** Entries whose changed keys are kept for readers in other processes; a reader that is further behind forgets everything. */
export const KEPT_CHANGES = 1000;
/** Names that change with one entry, before readers forget everything. */
export const MAX_CHANGED_KEYS = 1000;

/** Contracts in one answer, as in Splice. */
export const MAX_LISTED_CONTRACTS = 1000;

/** Updates, events, or contracts of a snapshot in one answer, as in Splice. */
export const MAX_LISTED = 1000;

/** Rounds in one answer about rounds, and in one about their parties, as in Splice. */
export const MAX_ROUND_TOTALS = 200;
export const MAX_ROUNDS_OF_PARTIES = 50;
/** Sums of parties in one answer; Splice has no bound. */
export const MAX_LISTED_PARTY_TOTALS = 20_000;

/** Transfer commands of one sender and number in one answer, as in Splice. */
export const MAX_LISTED_COMMANDS = 100;

/** Transfer commands are shown for so long after they ended. */
export const ENDED_COMMANDS_KEPT_MICROSECONDS: bigint = 30n * DAY;

/** Listeners to changes of names at a time. */
export const MAX_FEED_LISTENERS = 200;
/** Listeners of one address among them. */
export const MAX_FEED_LISTENERS_PER_ADDRESS = 50;
/** Changes that a listener is sent at once. */
export const FEED_PAGE = 100;
/** A quiet stream of changes has a comment so often. */
export const FEED_HEARTBEAT_MILLISECONDS = 15_000;

/** Names in one answer that people may take for another. */
export const MAX_LOOK_ALIKES = 20;

/** Parties in one question about holdings. */
export const MAX_HOLDERS = 1000;

/** The times of snapshots are multiples of this, counted from 1970, so that all scans have the same. */
export const SNAPSHOT_PERIOD_MICROSECONDS: bigint = 10n * MINUTE;

/** Snapshots older than this are deleted. */
export const SNAPSHOTS_KEPT_MICROSECONDS: bigint = 30n * DAY;

/** The last rows of coins and of contracts at snapshots that are cached: many of them end soon. */
export const REMEMBERED_COINS = 1000;
export const REMEMBERED_ACS_CONTRACTS = 1000;

/** Updates whose texts stay in memory: more than one SV of a process is ahead of another while both follow the log. */
export const RECENT_UPDATES = 256;

/** A long page is read for so long in one turn: a lookup waits for no more than that, and one update. */
export const PAGE_TURN_MILLISECONDS = 2;

/** The parties, and the templates, of one question for a snapshot's contracts. */
export const MAX_FILTERS = 1000;

/** Characters of a text of the caller that a refusal repeats. */
export const MAX_REPEATED_CHARACTERS = 200;
