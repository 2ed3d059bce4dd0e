/** One examination, from outside. */
export const EXAMINATION_MILLISECONDS = 15_000;
export const MAX_KEY_SET_BYTES = 1024 * 1024;
/** Tokens hold from and until a time: clocks that differ by more refuse fresh ones. */
export const MAX_CLOCK_SKEW_MILLISECONDS = 5000;
