/** The protocol version and its bounds of the log: changing one of them takes a new version. */
import { DAY, HOUR, SECOND } from "../values/duration.ts";
import { type Time, time } from "../values/time.ts";

export const FIRST_VERSION = 1n;
/** The version in which a network goes on from an earlier log. */
export const CONTINUED_VERSION = 2n;
/** The version in which cancelled names are taken up again: it knows version 0.2.0 of the package callsign-names. */
const TAKE_UP_VERSION = 3n;
/** The version in which sequencers sign their stamps, and no SV moves the time alone. */
export const BACKED_TIME_VERSION = 4n;
/** The version in which parties choose the name that they are called by: it knows version 0.3.0 of the package callsign-names. */
const PRIMARY_NAME_VERSION = 5n;
export const SUPPORTED_VERSIONS: readonly bigint[] = [
  FIRST_VERSION,
  CONTINUED_VERSION,
  TAKE_UP_VERSION,
  BACKED_TIME_VERSION,
  PRIMARY_NAME_VERSION,
];
/** The version of a new network. */
export const PROTOCOL_VERSION: bigint = PRIMARY_NAME_VERSION;
export const MAX_CONTENT_BYTES = 4_000_000;
/** A part of the state of an earlier log. The largest contract fits, however its text is escaped. */
export const MAX_PART_BYTES = 16_000_000;
/** The deepest nesting of an entry's JSON: twice what any contract needs, and far from any stack's end. */
export const MAX_CONTENT_DEPTH = 128;
/** The longest id a client chooses: of a submission, a command, a workflow, a user. */
export const MAX_ID_CHARACTERS = 255;
/** The longest time until a submission's latest record time; ids are remembered that long. */
export const MAX_SUBMISSION_WINDOW: bigint = 24n * HOUR;
/** The longest deduplication period; accepted commands are remembered that long. */
export const MAX_DEDUPLICATION_PERIOD: bigint = 7n * DAY;
export const MAX_SIGNATURES = 64;
export const MAX_SIGNING_KEYS = 16;
export const MAX_HOSTS = 64;
export const MAX_PARTIES_PER_SUBMISSION = 200;
/** The time by which a stamp may lead the time that other SVs' stamps back, unless the founding says otherwise. */
export const DEFAULT_CLOCK_TOLERANCE: bigint = 60n * SECOND;
export const MIN_CLOCK_TOLERANCE: bigint = SECOND;
export const MAX_CLOCK_TOLERANCE: bigint = HOUR;
/** Members that the network takes in at once from protocol version 4 on, and the time in which that many more may come. */
export const NEWCOMERS_AT_ONCE = 10n;
export const NEWCOMERS_WINDOW: bigint = 100n * SECOND;
/**
 * Bytes that a member may send, once, before it has a licence or buys traffic. A validator's party and first wallet take 1,600, and
 * 3,240 with the longest names.
 */
export const NEWCOMER_ALLOWANCE_BYTES = 4_000n;
/** A movable clock stops short of the end of time, so that deadlines can still be reckoned. */
export const LATEST_CLOCK: Time = time("9900-01-01T00:00:00Z");
