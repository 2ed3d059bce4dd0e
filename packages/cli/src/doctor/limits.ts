/** The longest time of one examination. */
export const EXAMINATION_MILLISECONDS = 15_000;
export const MAX_KEY_SET_BYTES = 1024 * 1024;
/** Tokens are valid from and until a time. Servers whose clocks differ by more than this refuse fresh ones. */
export const MAX_CLOCK_SKEW_MILLISECONDS = 5000;
