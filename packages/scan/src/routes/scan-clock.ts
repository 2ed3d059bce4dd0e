/**
 * The record time of scan's last applied entry, a position that all nodes share. Every answer carries it. A reader that
 * knows of a later one can ask scan to wait for it, and so sees here what was acknowledged elsewhere.
 */
import { formatTime, type Time } from "@callsign/ledger";
import { Bell, rememberLast, type Timers } from "@callsign/node";
import { MAX_RECORD_TIME_WAIT_MILLISECONDS, MAX_WAITING_CALLS } from "../limits/limits.ts";

export interface ScanClockParts {
  /** The record time of the last applied entry. */
  readonly now: () => Time;
  /** Calls the listener after every page of the log. */
  readonly onApplied: (listener: () => void) => void;
  readonly timers: Timers;
  /** At most `MAX_RECORD_TIME_WAIT_MILLISECONDS`. */
  readonly maxWaitMilliseconds: number;
}

export type Reached = "reached" | "too-late" | "too-many";

export class ScanClock {
  readonly maxWaitMilliseconds: number;
  readonly #parts: ScanClockParts;
  readonly #applied: Bell;
  #waiting = 0;
  readonly #format = rememberLast(formatTime);

  constructor(parts: ScanClockParts) {
    this.#parts = parts;
    this.#applied = new Bell(parts.timers);
    parts.onApplied(() => this.#applied.ring());
    this.maxWaitMilliseconds = Math.min(parts.maxWaitMilliseconds, MAX_RECORD_TIME_WAIT_MILLISECONDS);
  }

  get now(): Time {
    return this.#parts.now();
  }

  /** The time as text, formatted once. */
  get text(): string {
    return this.#format(this.now);
  }

  /** Resolves when the record time is reached, or the wait is over; rejects when the signal is aborted. */
  async reach(time: Time, signal: AbortSignal): Promise<Reached> {
    if (this.now >= time) return "reached";
    if (this.#waiting >= MAX_WAITING_CALLS) return "too-many";
    this.#waiting++;
    try {
      return await this.#wait(time, signal);
    } finally {
      this.#waiting--;
    }
  }

  async #wait(time: Time, signal: AbortSignal): Promise<Reached> {
    const milliseconds = this.maxWaitMilliseconds;
    if (await this.#applied.until(() => this.now >= time, { signal, milliseconds })) return "reached";
    if (signal.aborted) throw signal.reason;
    return "too-late";
  }
}
