/** The limits and times of the local network. */

/** The memory for pages of each database: there are eleven in one process, and their files are in the system's memory as well. */
export const SMALL_CACHE_KIBIBYTES = 1024;
/** Most pages that a commit writes have one new row each: ids are hashes. */
export const SHORT_PAGE_BYTES = 1024;
/** A block of the pool that small buffers are cut from. */
export const BUFFER_POOL_BYTES = 256 * 1024;
/** Connections of a gateway. */
export const MAX_GATEWAY_CONNECTIONS = 1000;
/** A request through a gateway, and a websocket's handshake. */
export const GATEWAY_MILLISECONDS = 60_000;
/** Sessions, codes and refresh tokens of the login, each. */
export const MAX_LOGIN_RECORDS = 1000;
/** Users of a node that the login page lists. */
export const MAX_LISTED_USERS = 100;
/** The automations have this long to settle when the clock is moved. */
export const SETTLE_MILLISECONDS = 30_000;
/** Every endpoint answers within this time after the start. */
export const READY_MILLISECONDS = 60_000;
/** One question about an endpoint's health. */
export const HEALTH_MILLISECONDS = 2000;
/** A scan that hangs: longer than any reader waits. */
export const HANG_MILLISECONDS = 70_000;
/** A call that moves the clock is answered after this time at the latest; the move itself goes on. */
export const MOVE_ANSWER_MILLISECONDS = 20_000;
/** Stops of a move are at least this far apart, in microseconds. */
export const SHORTEST_CLOCK_STEP = 3_600_000_000n;
/** And at most 29 days: one is in the 30 days in which a name is renewed, also by a validator of another process. */
export const LONGEST_CLOCK_STEP = 2_505_600_000_000n;
/** Connections of a port that wait while the server behind it is replaced. */
export const MAX_WAITING_CONNECTIONS = 1000;
/** Snapshots of a network. */
export const MAX_SNAPSHOTS = 50;
/** All snapshots together. */
export const MAX_SNAPSHOT_BYTES = 20_000_000_000;
/** A snapshot is saved and restored only if this much of the disk stays free for the network. */
export const SPARE_BYTES = 32_000_000;
