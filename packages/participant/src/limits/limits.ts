/** The participant's limits and time constants. docs/configuration.md lists those that clients and operators notice. */
import { SUBMISSION_PATIENCE_MILLISECONDS } from "@callsign/api";
import { MINUTE, SECOND } from "@callsign/ledger";

// Lists and streams.
/** The longest wait for one more item of a list. */
export const MAX_LIST_WAIT_MILLISECONDS = 30_000;
export const MAX_WAITING_LISTS_PER_USER = 100;
/** A list keeps waiting this long after items arrived that its caller may not see. */
export const LIST_SETTLE_MILLISECONDS = 50;
/** A list without an end stops after examining this many items. */
export const MAX_EXAMINED_ITEMS = 5000;
/** Items that a list reads from the store before other requests get their turn. */
export const LIST_BATCH = 200;
/** Items that a stream reads from the store before other requests get their turn. */
export const STREAM_BATCH = 100;
/** Contracts that a page reads from the store before other requests get their turn. */
export const PAGE_BATCH = 500;
/** Rows that are read at once while a store is carried over to the next migration. */
export const CARRIED_PAGE = 500;
export const MAX_CONTINUATION_TOKEN = 200;
/** A longer body of a caller without a valid token is refused before it is decoded. */
export const MAX_STRANGERS_BODY = 524_288;

export interface CheckpointIntervals {
  readonly firstMilliseconds: number;
  /** After items passed that the reader may not see. */
  readonly passedMilliseconds: number;
  readonly silentMilliseconds: number;
}

export const CHECKPOINT_INTERVALS: CheckpointIntervals = {
  firstMilliseconds: 500,
  passedMilliseconds: 15_000,
  silentMilliseconds: 60_000,
};

// Users, parties, identity providers.
export const MIN_ADMIN_TOKEN = 32;
export const MAX_USERS_PAGE_SIZE = 1000;
/** A validator's user has one for each party with a wallet. */
export const MAX_RIGHTS_PER_USER = 20_000;
/** The rights of a user with more are looked up party by party. */
export const FEW_RIGHTS = 20;
/** A user that has called is not looked up again for this long, unless users change. */
export const CALLER_CACHE_MILLISECONDS = 1000;
export const CACHED_CALLERS = 1000;
export const MAX_PARTIES_PAGE_SIZE = 10_000;
export const MAX_PARTIES_ASKED = 1000;
/** Annotations of all parties that one request names: such a request has no pages. */
export const MAX_ASKED_ANNOTATION_BYTES = 8 * 1024 * 1024;
export const MAX_PARTY_HINT = 185;
export const MAX_PARTY_ID = 255;
/** Allocations that never ended; the oldest makes room. */
export const MAX_PENDING_ALLOCATIONS = 10_000;
export const MAX_PAGE_TOKEN = 1000;
export const MAX_ANNOTATIONS_BYTES = 262_144;
export const MAX_ANNOTATION_PREFIX = 253;
export const MAX_ANNOTATION_NAME = 63;
/** Annotations of all rows of a page; a page ends before it exceeds them. */
export const MAX_PAGE_ANNOTATION_CHARACTERS = 8 * 1024 * 1024;
/** Annotated rows that are read at a time. */
export const ANNOTATED_BATCH = 64;
export const MAX_IDENTITY_PROVIDERS = 16;
/** An issuer, an audience or the address of a key set. */
export const MAX_IDENTITY_PROVIDER_TEXT = 4096;
export const MAX_PREFERRED_PACKAGES = 100;

// Submissions.
export const MAX_SUBMISSIONS = 256;
/** One user leaves room for the others. */
export const MAX_SUBMISSIONS_PER_USER = MAX_SUBMISSIONS / 2;
/** While submissions take longer than this, or than several times what they need, no more are taken than end in that time. */
export const LONG_SUBMISSION_MILLISECONDS = 500;
/** So many are taken however long they take. */
export const LEAST_SUBMISSIONS = 32;
/** The time after which a quick submission no longer says what one needs. */
export const PACE_WINDOW_MILLISECONDS = 600_000;
/** Notes on submissions that never ended; the oldest makes room. */
export const MAX_SUBMISSION_NOTES = 10_000;
/** Notes that may come between two looks whether there are too many. */
export const UNCHECKED_SUBMISSION_NOTES = 1000;
/** A note outlives its submission's latest record time by this, */
export const NOTE_MARGIN_MICROSECONDS: bigint = 10n * MINUTE;
/** and by the time between two looks for such notes. */
export const NOTE_SWEEP_MICROSECONDS: bigint = MINUTE;
/** An entry takes effect within this time after it was signed, or never. */
export const ENTRY_WINDOW_MICROSECONDS = MINUTE;
/** Pauses of a rotation that waits until entries of the former key have ended, and until the network has new keys. */
export const DRAIN_POLL_MILLISECONDS = 100;
export const KEYS_POLL_MILLISECONDS = 100;
/** The longest wait for a submission's outcome, by the wall clock. */
export const SUBMISSION_WAIT_MILLISECONDS = 30_000;
/** An entry without an effect is sent to another sequencer too after this time; later if effects take long. */
export const RESEND_MILLISECONDS = 1000;
export const LATEST_RESEND_MILLISECONDS = 10_000;
/** Rounds in which all sequencers refuse an entry, before the submission fails. */
export const MAX_REFUSALS = 3;
export const REFUSED_PAUSE_MILLISECONDS = 100;
/** A sequencer that has not answered by then is not waited for alone; later if answers take long. */
export const HEDGE_MILLISECONDS = SUBMISSION_PATIENCE_MILLISECONDS;
export const LATEST_HEDGE_MILLISECONDS = 5000;
/** Submissions that a sequencer is handed at once, until it has answered some. */
export const FIRST_SUBMISSIONS_AT_ONCE = 8;
/** Somebody is waited for so many times as long as usual. */
export const PATIENCE_FACTOR = 3;
/** The weight of the latest time in the average of all. */
export const USUAL_TIME_WEIGHT = 1 / 16;
/** Each run finds at least one contract that the run before lacked. */
export const MAX_INTERPRETATION_RUNS = 200;
/** Contract ids in the arguments that are fetched before the first run. */
export const MAX_PREFETCHED_CONTRACTS = 500;
export const MAX_TRACESTATE = 512;

/** Items at the ledger's end that stay in memory, */
export const MAX_RECENT_ITEMS = 32;
/** if their bodies have at most so many characters. */
export const MAX_RECENT_BODY = 64 * 1024;

// Sequencers.
/** A sequencer that is ahead of the others by this much is not asked for more. */
export const MAX_AHEAD_ITEMS = 2000;
export const MAX_AHEAD_CHARACTERS = 32_000_000;
/** Digests of agreed items that are kept to judge sequencers that lag. */
export const MAX_REMEMBERED_DIGESTS = 5000;
/** A participant that lags by more items is not ready. */
export const MAX_LAG_ITEMS = 1000;
/** The wait for the next item that a sequencer is asked for. */
export const FOLLOW_MILLISECONDS = 5000;
export const ANSWER_MILLISECONDS = 3000;
/** A body that a quorum has the digest of is asked of another sequencer after this time. */
export const BODY_PATIENCE_MILLISECONDS = 100;
/** Pages of a state that is loaded. A page looks through a thousand contracts of the network. */
export const MAX_STATE_PAGES = 100_000;
export const MAX_ANSWER_MILLISECONDS = 12_000;
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A submission waits this long for sequencers none of which can be reached. */
export const RECONNECT_MILLISECONDS = 500;
/** A submission waits this long for the sequencers of a new set, which prove themselves first. */
export const PROVING_MILLISECONDS = 2000;
/** A participant may wait for one SV alone: it goes on within a second of that SV's return. */
export const RECONNECT = { firstMilliseconds: 50, longestMilliseconds: 800 } as const;
export const REGISTRATION = { firstMilliseconds: 500, longestMilliseconds: 30_000 } as const;
/** The pause after a sequencer was caught with a false item. */
export const DISTRUST = { firstMilliseconds: 1000, longestMilliseconds: 60_000 } as const;
/** A sequencer without a fault for this long has a clean record. */
export const FORGIVEN_MILLISECONDS = 5 * 60_000;
/** The pause after an empty page that came early because the network's clock moved. */
export const EARLY_PAGE_PAUSE_MILLISECONDS = 20;
/** Clock readings of this age count alone, if there are enough of them. */
export const CLOCK_READING_MILLISECONDS = 500;
/** A submission asks for the network's time again after this. */
export const CLOCK_FRESH_MILLISECONDS = 200;
export const CLOCK_ANSWER_MILLISECONDS = 300;
export const FIRST_CLOCK_ANSWER_MILLISECONDS = 100;
/** A clock that differs by less was not moved. */
export const CLOCK_TOLERANCE_MICROSECONDS = SECOND;

// The store.
/** Items that one transaction stores. */
export const INGEST_BATCH = 500;
export const INGEST_RETRY = { firstMilliseconds: 500, longestMilliseconds: 500 } as const;
export const INGEST_IDLE_MILLISECONDS = 1000;
/** Names of parties and templates whose numbers stay in memory. */
export const MAX_NAMES_IN_MEMORY = 100_000;

// Pruning.
export const MAX_CRON = 300;
/** Items, contracts or completions that one transaction removes, each with its dependent rows. */
export const PRUNING_CHUNK = 100;
export const MIN_PRUNING_REST_MILLISECONDS = 1;
/** A transaction that had to wait for others says little of its own duration. */
export const MAX_PRUNING_REST_MILLISECONDS = 100;
/** A schedule checks after this many offsets whether its window is still open. */
export const PRUNING_STEP_OFFSETS = 2000;
/** A schedule checks at most this often whether its window has opened. */
export const PRUNING_PAUSE_MILLISECONDS = 200;
/** A schedule reads the network's clock at least this often. */
export const PRUNING_TIMER_MILLISECONDS = 3_600_000;
export const PRUNING_RETRY_MILLISECONDS = 5000;
/** The wait for a prune on request. */
export const PRUNE_WAIT_MILLISECONDS = 25_000;
