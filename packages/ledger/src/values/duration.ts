/** A span of time in microseconds (Daml's RelTime carries the same number in a record). */
export const MICROSECOND = 1n;
export const SECOND = 1_000_000n;
export const MINUTE: bigint = 60n * SECOND;
export const HOUR: bigint = 60n * MINUTE;
export const DAY: bigint = 24n * HOUR;
