/** A stop that takes longer is forced. */
export const STOP_MILLISECONDS = 20_000;
