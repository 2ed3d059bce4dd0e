/** Waits of the fault tests catch hangs, not slow machines. */
export const FAULT_PATIENCE_MILLISECONDS = 300_000;
