/**
 * The record time that scan stands at, which is the position that all nodes share: every answer carries it, and a
 * reader who knows of a later one can ask scan to wait for it, so that what was acknowledged elsewhere is seen here.
 */
import { formatTime, type Time } from "@callsign/ledger";

export interface ScanClockParts {
  /** The record time of the last applied entry. */
  readonly now: () => Time;
  /** Tells of every page of the log once it is on disk; returns how to stop listening. */
  readonly onApplied: (listener: () => void) => () => void;
  /** At most `MAX_WAIT_MILLISECONDS`. */
  readonly maxWaitMilliseconds: number;
}

export type Reached = "reached" | "too-late" | "too-many";

/** Longer than any entry takes to reach an SV that is well. */
export const MAX_WAIT_MILLISECONDS = 10_000;
/** Who waits takes the place of a call that could be answered at once. */
export const MAX_WAITING = 200;

export class ScanClock {
  readonly maxWaitMilliseconds: number;
  readonly #parts: ScanClockParts;
  #waiting = 0;
  #shown: { readonly time: Time; readonly text: string } | undefined;

  constructor(parts: ScanClockParts) {
    this.#parts = parts;
    this.maxWaitMilliseconds = Math.min(parts.maxWaitMilliseconds, MAX_WAIT_MILLISECONDS);
  }

  get now(): Time {
    return this.#parts.now();
  }

  /** The time as text, made once for each. */
  get text(): string {
    const time = this.now;
    if (this.#shown?.time !== time) this.#shown = { time, text: formatTime(time) };
    return this.#shown.text;
  }

  /** Resolves when the record time is reached, or the wait is over; rejects when the signal is aborted. */
  async reach(time: Time, signal: AbortSignal): Promise<Reached> {
    if (this.now >= time) return "reached";
    if (this.#waiting >= MAX_WAITING) return "too-many";
    this.#waiting++;
    try {
      return await this.#wait(time, signal);
    } finally {
      this.#waiting--;
    }
  }

  #wait(time: Time, signal: AbortSignal): Promise<Reached> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = setTimeout(() => finish(() => resolve("too-late")), this.maxWaitMilliseconds);
      const stop = this.#parts.onApplied(() => {
        if (this.now >= time) finish(() => resolve("reached"));
      });
      const abort = () => finish(() => reject(signal.reason));
      const finish = (then: () => void) => {
        clearTimeout(timer);
        stop();
        signal.removeEventListener("abort", abort);
        then();
      };
      signal.addEventListener("abort", abort, { once: true });
    });
  }
}
