/**
 * The ports to the machine that a process runs on. Composition roots take a `Host` (default: `systemHost`) and hand its
 * parts down, so that a whole role can run in virtual time.
 */
export interface Clock {
  /** Milliseconds since 1970. Operators and time servers may set this clock back. */
  readonly wallMilliseconds: () => number;
  /** Milliseconds since some fixed moment; never goes back. */
  readonly elapsedMilliseconds: () => number;
}

export interface Timer {
  /** Lets the process exit although the timer is still set. */
  readonly unref: () => unknown;
}

export interface Timers {
  readonly set: (callback: () => void, milliseconds: number) => Timer;
  /** A timer that has fired, was cleared or is undefined stays as it is. */
  readonly clear: (timer: Timer | undefined) => void;
  /** Calls back after the input and output that are ready now. */
  readonly soon: (callback: () => void) => void;
}

export interface Randomness {
  readonly bytes: (length: number) => Uint8Array;
  readonly uuid: () => string;
  /** At least 0 and less than 1. Not for secrets. */
  readonly fraction: () => number;
}

export interface Host {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly randomness: Randomness;
}
