/** The validator's limits and time constants. docs/configuration.md lists those that clients and operators notice. */
import { DAY, HOUR, MINUTE, SECOND } from "@callsign/ledger";

// The participant.
export const PARTICIPANT_CALL_MILLISECONDS = 20_000;
/** The time for the answer to a submission: less than a caller is kept waiting. */
export const SUBMIT_MILLISECONDS = 30_000;
export const MAX_SENDINGS = 4;
export const RESEND_BACKOFF = { firstMilliseconds: 200, longestMilliseconds: 1000 } as const;
export const LEDGER_PAGE = 200;
/** Of more parties, everything that the participant's parties see is read. */
export const MAX_NAMED_PARTIES = 20;
/** A page that was longer than an answer may be is read again with so many times fewer updates. */
export const SMALLER_PAGE_DIVISOR = 10;
/** More contracts are too many for one answer. */
export const MAX_SNAPSHOT_CONTRACTS = 100_000;

// The copy of the ledger.
/** Lists are not paged in Splice; this many rows come at most. */
export const MAX_ROWS = 1000;
/** More coins than a wallet keeps, since payments merge them. */
export const MAX_COINS = 10_000;
/** Due tasks that are read at a time; the database sorts all of them for each page. */
export const DUE_PAGE = 1000;
/** Far longer than a submission can be in flight. */
export const SENT_COMMAND_MILLISECONDS = 60 * 60_000;
/** The time between two looks for older ones. */
export const SENT_COMMAND_SWEEP_MILLISECONDS = 60_000;
/** A participant holds back its answer this long for the next update. */
export const UPDATE_WAIT_MILLISECONDS = 10_000;
/** An update that was waited for this long came alone: no others are read behind it before the next wait. */
export const LONE_UPDATE_MILLISECONDS = 10;
/** Updates gather this long before the history of wallets is read on, unless somebody asks for it. */
export const HISTORY_GATHER_MILLISECONDS = 500;
export const UPDATE_CALL_MILLISECONDS = 30_000;
export const FOLLOW_BACKOFF = { firstMilliseconds: 100, longestMilliseconds: 3000 } as const;
/** The time in which a participant with a shorter ledger may come back: without a step forward, and altogether. */
export const REWIND_PATIENCE = { stillMilliseconds: 120_000, totalMilliseconds: 3_600_000 } as const;
export const REWIND_POLL_MILLISECONDS = 200;
/** A new user waits for the wallet. */
export const NEW_WALLET_RETRY = { firstMilliseconds: 200, longestMilliseconds: 30_000 } as const;

// Scans.
export const SCAN_PATIENCE = {
  /** A further scan is asked after this time. */
  hedge: 60,
  call: 4000,
  /** The time for the others, where all scans are asked. */
  others: 1000,
  /** A read as a whole, repetitions included. */
  read: 6000,
  /** A scan that misbehaved is asked last for this time. */
  grudge: 10_000,
} as const;
/** An agreed answer is given again for this time, if no scan says otherwise: so long a scan that hangs counts on. */
export const STANDING_MILLISECONDS = 1000;
export const MAX_STANDING_ANSWERS = 1000;
/** In characters. Longer ones are asked for each time. */
export const MAX_STANDING_ANSWER = 4096;
/** Rounds of questions of one read, as in Splice. */
export const SCAN_ROUNDS = 13;
/** More are counted, in evidence and errors. */
export const MAX_NAMED_SCANS = 10;
/** A scan that no read has asked for this long is asked whether it answers. */
export const SCAN_PROBE_MILLISECONDS = 10_000;
/** A scan that failed is asked again after this time. */
export const SCAN_RETRY_MILLISECONDS = 2000;
/** The list of scans is read this often, so that one of an SV that left counts no longer; sooner after trouble, with pauses that grow. */
export const SCAN_LIST_MILLISECONDS = 60_000;
export const SCAN_LIST_BACKOFF = { firstMilliseconds: 1000, longestMilliseconds: 10 * 60_000 } as const;
/** More than these would not be scans of one network's SVs. */
export const MAX_SCANS = 100;
/** The list of sequencers is read this often, as in Splice. */
export const SEQUENCER_LIST_MILLISECONDS = 30_000;
export const SCAN_BACKOFF = { firstMilliseconds: 50, longestMilliseconds: 500 } as const;
export const RULES_CACHE_MILLISECONDS = 5000;
export const ROUNDS_CACHE_MILLISECONDS = 2000;
/** Anybody may ask for the names that are shown. */
export const NAMES_CACHE_MILLISECONDS = 60_000;
export const TIME_CACHE_MILLISECONDS = 500;
/** A user whom the participant let act as the wallet's party may do so for this long; Canton's default for its own cache. */
export const GRANT_CACHE_MILLISECONDS = 5000;
export const CACHED_GRANTS = 10_000;
/** Wallets whose users and balances are kept until a contract of theirs changes. */
export const CACHED_WALLETS = 1000;
/** Parties of which scans' answers are cached. */
export const CACHED_PARTIES = 1000;

// Wallets.
export const MAX_QUEUED = 20;
export const MAX_QUEUED_BY_AUTOMATIONS = 20;
/** Operations of users in a row before an automation has its turn. */
export const MAX_USERS_IN_A_ROW = 10;
export const MAX_ATTEMPTS = 6;
export const ATTEMPT_PAUSE_MILLISECONDS = 50;
/** The time in which the copy of the ledger shows a change that was answered. */
export const INGESTION_MILLISECONDS = 5000;
export const MAX_COMMAND_ID = 1000;
/** Rights of a featured app that one transaction gives up; a wallet rarely has more than one. */
export const MAX_RIGHTS_CANCELLED = 100;
/** The reason of a gift of the development fund, or of its withdrawal. */
export const MAX_FUND_REASON = 4000;
/** Delegations of a beneficiary that a new one replaces; there is rarely more than one. */
export const MAX_DELEGATIONS_REPLACED = 100;
/** The time for which a tap of the same command id is refused, unless configured otherwise. */
export const TAP_DEDUPLICATION_SECONDS = 24 * 60 * 60;

/** The ledger refuses a longer description or tracking id. */
export const MAX_TRACKED_TEXT = 279;
/** The description of a transfer by preapproval. */
export const MAX_SENT_DESCRIPTION = 2000;

// Automations.
export const RENEWING_OWNERS_AT_ONCE = 16;
/** Senders and receivers wait for these payments. Submissions in flight together share commits all the way to the SVs. */
export const COMPLETING_OWNERS_AT_ONCE = 32;
/** More coins than these are merged at once. */
export const COIN_PILE = 10;
/** A few coins are merged when the newest is this old. */
export const COIN_REST_MICROSECONDS: bigint = 300n * SECOND;
/** The ledger refuses an earlier update of the license. */
export const LICENSE_UPDATE_MICROSECONDS: bigint = HOUR;
export const PREAPPROVAL_MICROSECONDS: bigint = 90n * DAY;
/** A preapproval is renewed in its last 30 days. */
export const PREAPPROVAL_RENEWAL_MICROSECONDS: bigint = 30n * DAY;
/** The receiver of a sweep's offer may accept it for this long, as in Splice. */
export const SWEEP_OFFER_MICROSECONDS: bigint = 10n * MINUTE;
/** The sender's last tracking ids of the form of a sweep's that are looked at for the last sweep. */
export const SWEEP_IDS_READ = 20;
/** Senders whose offers a receiver accepts automatically. */
export const MAX_ACCEPTED_SENDERS = 1000;
/** A name as the receiver of a sweep: the longest that there is. */
export const MAX_RECEIVER_NAME = 60;
/** Purchases of traffic come in whole multiples of this, as in Splice, which polls that often. */
export const POLLING_SECONDS = 30;
/** Operations of low priority leave this much traffic to the others: a top-up of no more would never suffice. */
export const RESERVED_BYTES = 200_000n;
export const TRAFFIC_CACHE_MILLISECONDS = 1000;

// Start, onboarding and shutdown.
export const START_BACKOFF = { firstMilliseconds: 100, longestMilliseconds: 3000 } as const;
export const CATCH_UP_MILLISECONDS = 30_000;
export const INSTALL_MILLISECONDS = 10_000;
export const SPONSOR_CALL_MILLISECONDS = 40_000;
export const MAX_SECRET_SENDINGS = 120;
/** Requests for a secret, where a DevNet hands them out. */
export const MAX_SECRET_REQUESTS = 101;
/** The ledger refuses a longer text in a license. */
export const CONTACT_POINT_CHARACTERS = 255;
export const SECRET_BACKOFF = { firstMilliseconds: 200, longestMilliseconds: 5000 } as const;
export const MAX_IDLE_ROUNDS = 100;
/** Calls in flight may end by themselves for this long. */
export const CALLS_CLOSE_MILLISECONDS = 2000;

// Metrics.
/** Wallets whose balances metrics show. */
export const SHOWN_WALLETS = 200;
/** Scans are asked for the participant's traffic no more often. */
export const TRAFFIC_METRICS_MILLISECONDS = 60_000;
/** Scans are asked for the renewal window of names no more often, for metrics. */
export const NAME_RULES_METRICS_MILLISECONDS = 60_000;
export const MAX_PARTY_PAGES = 100;
/** The time that the SVs have to decide on a name that is taken up, until a caller is told to ask again. */
export const TAKE_UP_MILLISECONDS = 10_000;
/** PrimaryNames of a party that one transaction replaces or removes; its wallet makes one. */
export const REPLACED_PRIMARY_NAMES = 100;
