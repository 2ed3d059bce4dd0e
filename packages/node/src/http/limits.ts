/** The limits of one port. Sizes are bytes unless their names say otherwise. */

/** Splice's applications give up a request after this time. */
export const REQUEST_TIMEOUT_MILLISECONDS = 38_000;
/** Calls that wait for their answers at a time. */
export const MAX_CALLS = 1000;
/** Refused calls that are logged one by one, of each level. */
export const LOGGED_REFUSALS_PER_SECOND = 20;
/** The reason of a refusal in the log. */
export const MAX_REASON_LENGTH = 1000;
/** A TLS handshake is over within this time. */
export const HANDSHAKE_MILLISECONDS = 10_000;
/** Addresses, and users, whose calls are counted one by one. */
export const MAX_COUNTED_CALLERS = 10_000;
/** More than `MAX_CALLS`, so that a caller who is turned away is told so. */
export const MAX_CONNECTIONS = 4000;
/** A whole request arrives within this time. */
export const ARRIVAL_MILLISECONDS = 30_000;
/** An idle connection stays open for this time: longer than load balancers keep theirs. */
export const KEEP_ALIVE_MILLISECONDS = 72_000;
/** Idle connections are looked for so often where one timer serves all. */
export const IDLE_CHECK_MILLISECONDS = 1000;
/** The head of a request in the plainest form, in characters; `node:http` reads longer ones. */
export const MAX_PLAIN_HEAD_LENGTH = 2048;
/** A shutdown waits this long for the calls that are being answered. */
export const SHUTDOWN_MILLISECONDS = 3000;
/** The body of a caller without a valid token, if it is not small, arrives within this time. */
export const STRANGERS_ARRIVAL_MILLISECONDS = 10_000;
/** Bodies that are not small, all together. */
export const MAX_BODY_BYTES_AT_ONCE = 64 * 1024 * 1024;
/** Callers without a valid token have one of so many parts of them, */
export const STRANGERS_PART = 2;
/** and those from one address one of so many parts of that. */
export const ADDRESS_PART = 2;
/** The memory that a piece of a body takes beside its bytes. */
export const CHUNK_BYTES = 512;
/** Bodies up to this size do not count. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** A listener to server-sent events that takes nothing for this time is cut off. */
export const STALLED_LISTENER_MILLISECONDS = 30_000;
/** A browser may remember a preflight's answer for this time. */
export const PREFLIGHT_MAX_AGE_SECONDS = 1800;
export const MAX_HEADER_LENGTH = 1000;
/** Answers from this length on are compressed for callers that take it: shorter ones fit into a packet or two anyway. */
export const COMPRESSED_FROM_BYTES = 2048;
/** Longer answers are sent as they are: both forms are in memory for a while. */
export const MAX_COMPRESSED_BYTES = 16 * 1024 * 1024;
/** Answers that are compressed at a time, in the whole process. */
export const MAX_COMPRESSIONS_AT_ONCE = 8;
/** Lookup channels of a port; a caller beyond them sends requests. */
export const MAX_LOOKUP_CHANNELS = 1000;
/** A lookup channel without questions stays open for this time. */
export const LOOKUP_CHANNEL_IDLE_MILLISECONDS = 72_000;
/** Questions of one lookup channel that wait for handlers at a time. */
export const MAX_OPEN_QUESTIONS = 16;
/** A question of a lookup channel, in characters: about as long as the head of a request may be. */
export const MAX_QUESTION_LENGTH = 16 * 1024;
