/**
 * Lets time pass on a quiet log: when a stored deadline has come and nobody wrote anything, the sequencer appends a
 * tick, so that what expires does so on time. Every SV has a ticker; each waits a little longer than the one before
 * it, and whoever is first makes the others' ticks needless. A tick counts once the replica has applied it: until
 * then there is no other, so that a replica which lags behind the log does not fill it.
 */
import type { Time } from "@callsign/ledger";
import type { Replica } from "../replica/replica.ts";

export interface TickerParts {
  readonly replica: Replica;
  /** The next moment at which time alone changes something; null if there is none. */
  readonly nextDue: () => Time | null;
  /** What an entry would take effect at, were it appended now. */
  readonly now: () => Time;
  /** Resolves with the tick's sequence number once it is in the log. */
  readonly tick: () => Promise<number>;
  /** How many SVs come before this one. */
  readonly rank: number;
  readonly onError: (error: unknown) => void;
}

/** Deadlines far ahead are looked at again now and then. */
const LONGEST_WAIT_MILLISECONDS = 60_000;
/** Nor is a near one looked at more often, whatever the clocks say. */
const SHORTEST_WAIT_MILLISECONDS = 20;
const STEP_MILLISECONDS = 100;
/** The least time between two ticks for one deadline, and after one that failed. */
const PAUSE_MILLISECONDS = 1000;
/** How long the replica may take to apply a tick before another is tried. */
const APPLY_MILLISECONDS = 30_000;

export class Ticker {
  readonly #parts: TickerParts;
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#timer);
    await this.#ticking;
  }

  #plan(pause: number): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted || this.#ticking !== null) return;
    const due = this.#findDue();
    if (due === null) return;
    const wait = due === "unknown" ? PAUSE_MILLISECONDS : this.#wait(due);
    this.#timer = setTimeout(() => this.#look(), Math.max(wait, pause, SHORTEST_WAIT_MILLISECONDS));
    this.#timer.unref();
  }

  /** The deadline that the log has not passed yet; it is unknown where it cannot be read. */
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

  /** Until the deadline, in milliseconds, with this SV's own delay. */
  #wait(due: Time): number {
    const { now, rank } = this.#parts;
    const left = Number((due - now()) / 1000n) + 1;
    const wait = Math.min(Math.max(left, 0) + rank * STEP_MILLISECONDS, LONGEST_WAIT_MILLISECONDS);
    if (this.#last?.due !== due) return wait;
    return Math.max(wait, this.#last.at + PAUSE_MILLISECONDS - performance.now());
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
        pause = PAUSE_MILLISECONDS;
        if (!this.#closing.signal.aborted) this.#parts.onError(error);
      })
      .finally(() => {
        this.#ticking = null;
        this.#plan(pause);
      });
  }

  async #tick(due: Time): Promise<void> {
    this.#last = { due, at: performance.now() };
    const sequence = await this.#parts.tick();
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(APPLY_MILLISECONDS)]);
    await this.#parts.replica.reach(sequence, signal);
  }
}
