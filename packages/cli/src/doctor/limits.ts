/** One examination, from outside. */
export const EXAMINATION_MILLISECONDS = 15_000;
/** Tokens hold from and until a time: clocks that differ by more refuse fresh ones. */
export const MAX_CLOCK_SKEW_MILLISECONDS = 5000;
