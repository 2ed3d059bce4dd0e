/**
 * The ticker lets time pass on a quiet log: when a deadline is due and no entry has passed it, the ticker submits a tick,
 * so that contracts expire on time. Every SV has a ticker; each waits a little longer than the one before it, and the
 * first tick makes the others needless. A ticker submits no second tick before the replica has applied the first, so that
 * a lagging replica does not fill the log.
 */
import type { Time } from "@callsign/ledger";
import { type Host, startDeadline, type Timer } from "@callsign/node";
import {
  APPLY_TICK_MILLISECONDS,
  LONGEST_TICK_WAIT_MILLISECONDS,
  SHORTEST_TICK_WAIT_MILLISECONDS,
  TICK_PAUSE_MILLISECONDS,
  TICK_STEP_MILLISECONDS,
} from "../limits/limits.ts";
import type { Replica } from "../replica/replica.ts";

export interface TickerParts {
  readonly replica: Replica;
  /** The next moment at which time alone changes something; null if there is none. */
  readonly nextDue: () => Time | null;
  /** The record time of an entry appended now. */
  readonly now: () => Time;
  /** Resolves with the tick's sequence number once it is in the log. */
  readonly tick: () => Promise<number>;
  /** The number of SVs whose tickers act before this one, at present. */
  readonly rank: () => number;
  readonly onError: (error: unknown) => void;
  readonly host: Host;
}

export class Ticker {
  readonly #parts: TickerParts;
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;
  #timer: Timer | undefined;
  #ticking: Promise<void> | null = null;
  #last: { readonly due: Time; readonly at: number } | null = null;

  constructor(parts: TickerParts) {
    this.#parts = parts;
    this.#stopListening = parts.replica.onApplied(() => this.#plan(0));
    this.#plan(0);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopListening();
    this.#parts.host.timers.clear(this.#timer);
    await this.#ticking;
  }

  #plan(pause: number): void {
    this.#parts.host.timers.clear(this.#timer);
    if (this.#closing.signal.aborted || this.#ticking !== null) return;
    const due = this.#findDue();
    if (due === null) return;
    const wait = due === "unknown" ? TICK_PAUSE_MILLISECONDS : this.#wait(due);
    const milliseconds = Math.max(wait, pause, SHORTEST_TICK_WAIT_MILLISECONDS);
    this.#timer = this.#parts.host.timers.set(() => this.#look(), milliseconds);
    this.#timer.unref();
  }

  /** The next deadline that the log has not passed; "unknown" if reading it failed. */
  #findDue(): Time | null | "unknown" {
    const { replica, nextDue, onError } = this.#parts;
    try {
      const due = nextDue();
      return due === null || due <= replica.state.head.recordTime ? null : due;
    } catch (error) {
      onError(error);
      return "unknown";
    }
  }

  /** Milliseconds until the deadline, with this SV's own delay. */
  #wait(due: Time): number {
    const { now, rank } = this.#parts;
    const left = Number((due - now()) / 1000n) + 1;
    const wait = Math.min(
      Math.max(left, 0) + rank() * TICK_STEP_MILLISECONDS,
      LONGEST_TICK_WAIT_MILLISECONDS,
    );
    if (this.#last?.due !== due) return wait;
    return Math.max(
      wait,
      this.#last.at + TICK_PAUSE_MILLISECONDS - this.#parts.host.clock.elapsedMilliseconds(),
    );
  }

  #look(): void {
    const due = this.#findDue();
    if (due === null || due === "unknown" || due > this.#parts.now()) {
      this.#plan(0);
      return;
    }
    let pause = 0;
    this.#ticking = this.#tick(due)
      .catch((error: unknown) => {
        pause = TICK_PAUSE_MILLISECONDS;
        if (!this.#closing.signal.aborted) this.#parts.onError(error);
      })
      .finally(() => {
        this.#ticking = null;
        this.#plan(pause);
      });
  }

  async #tick(due: Time): Promise<void> {
    this.#last = { due, at: this.#parts.host.clock.elapsedMilliseconds() };
    const sequence = await this.#parts.tick();
    const { timers } = this.#parts.host;
    const deadline = startDeadline(APPLY_TICK_MILLISECONDS, { timers, signals: [this.#closing.signal] });
    await this.#parts.replica.reach(sequence, deadline.signal).finally(() => deadline.clear());
  }
}
