/** Limits and times of an SV. Times without a unit in their name are microseconds of the ledger. */
import { DAY, SECOND } from "@callsign/ledger";

/** The time that a request for a name may go without an answer, unless configuration says otherwise. */
export const REQUEST_WAIT: bigint = 30n * DAY;
export const LONGEST_REQUEST_WAIT: bigint = 36_500n * DAY;
/** The age of the oldest activity marker at which markers become coupons, however few there are. */
export const MARKER_WAIT = 30n * SECOND;

/** An SV's submission is in the log after so long, or is decided anew. */
export const SUBMISSION_LIFETIME = 600n * SECOND;
/** Long enough for two instances of one SV, short enough for work that comes up again. */
export const DEDUPLICATION_TIME = 300n * SECOND;
/** Ticks, moves of the clock and requests of operators are in the log after so long, or fail. */
export const ENTRY_LIFETIME = 60n * SECOND;
export const MAX_SUBMISSION_MILLISECONDS = 30_000;

/** Pauses of a replica whose rows cannot be written. */
export const REPLICA_RETRY = { firstMilliseconds: 100, longestMilliseconds: 5000 } as const;

/** The time for which a node that starts tries to read the end of its log. */
export const GOAL_MILLISECONDS = 30_000;

/** Contracts in one transaction, where each is expired, merged or converted by the same choice. */
export const BATCH = 100;
/** Coins, markers and coupons of one kind that are turned into tasks together; the others follow. */
export const BATCHED_AT_ONCE = 4 * BATCH;
/** First payments for one name that are decided together, the earliest first. */
export const PAYMENTS_AT_ONCE = 100;
/** Rows read for a key of which there is normally one contract. */
export const FEW = 100;
/** Rows of rules, and of confirmations for the status. */
export const MANY = 1000;
/** Expired onboarding secrets in one transaction. */
export const EXPIRED_SECRETS_AT_ONCE = 50;
/** Rows that the sweep reads at once. */
export const SWEEP_PAGE = 64;

/** Changed sets of SVs that are attested at all, the last ones. */
export const UNATTESTED_SETS = 10n;
/** Pauses of a node that joins the network as an SV. */
export const JOIN_RETRY = { firstMilliseconds: 200, longestMilliseconds: 5000 } as const;
export const JOIN_CALL_MILLISECONDS = 20_000;
/** Every onboarding secret expires after so long. */
export const SECRET_SECONDS = 172_800;
/** Longer texts are nobody's secret. */
export const MAX_SECRET_LENGTH = 4096;
/** Longer texts are nobody's token. */
export const MAX_SV_TOKEN_LENGTH = 4096;
/** Unused secrets of one SV. */
export const MAX_OPEN_SECRETS = 1000;
/** Self-service leaves room for secrets that the operator makes. */
export const MAX_OPEN_SECRETS_FOR_SELF_SERVICE = 500;
export const SELF_SERVICE = {
  capacity: 20,
  perSecond: 1,
} as const;
/** Expired secrets that stay visible. */
export const MAX_EXPIRED_SECRETS = 10_000;
/** The ledger's limit for a license's version and contact point. */
export const MAX_LICENSE_TEXT_LENGTH = 255;
/** Attempts at an onboarding: rules or the secret may change while a submission is in flight. */
export const MAX_ONBOARDING_ATTEMPTS = 3;
/** Attempts at an operator's request on contracts that other SVs change as well. */
export const MAX_RACES = 20;
export const EXPECTED_SECRETS_RETRY = { firstMilliseconds: 50, longestMilliseconds: 3000 } as const;
/** Contracts that a list of the SV app shows. */
export const MAX_SHOWN = 1000;
/** More than there can be open secrets. */
export const MAX_ONGOING_SHOWN = 2000;

/** Validators whose licenses metrics show, the newest first. */
export const SHOWN_LICENSES = 1000;

/** The time that `callsign log restore` gives silent SVs to answer. */
export const RESTORE_WAIT_MILLISECONDS = 30_000;

/** Rows of the agenda that wait for the end of a transaction. */
export const MAX_UNSAVED_ROWS = 256;
/** Rows of the agenda, and lists of rows with one key, that stay in memory. */
export const REMEMBERED_ROWS = 2000;
export const REMEMBERED_LISTS = 2000;

/** A scan's workers learn of a change of its health after this time at most. */
export const HEALTH_CHECK_MILLISECONDS = 100;

/** An empty replica reads the log for so long before its SV activates a protocol version. */
export const ACTIVATION_MILLISECONDS = 60_000;
