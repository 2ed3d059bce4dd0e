/**
 * Lets time pass on a quiet log: when a stored deadline has come and nobody wrote anything, the sequencer appends a
 * tick, so that what expires does so on time. Every SV has a ticker; each waits a little longer than the one before
 * it, and whoever is first makes the others' ticks needless.
 */
import type { Time } from "@callsign/ledger";
import type { Replica } from "./replica.ts";

export interface TickerParts {
  readonly replica: Replica;
  /** The next moment at which time alone changes something; null if there is none. */
  readonly nextDue: () => Time | null;
  /** What an entry would take effect at, were it appended now. */
  readonly now: () => Time;
  readonly tick: () => Promise<unknown>;
  /** How many SVs come before this one. */
  readonly rank: number;
  readonly onError: (error: unknown) => void;
}

/** Deadlines far ahead are looked at again now and then. */
const LONGEST_WAIT_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 100;
/** A tick that fails is not tried again at once. */
const PAUSE_MILLISECONDS = 1000;

export class Ticker {
  readonly #parts: TickerParts;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | null = null;
  #closed = false;

  constructor(parts: TickerParts) {
    this.#parts = parts;
    this.#stopListening = parts.replica.onApplied(() => this.#plan(0));
    this.#plan(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#ticking;
  }

  #plan(pause: number): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#ticking !== null) return;
    const wait = this.#wait();
    if (wait === null) return;
    this.#timer = setTimeout(() => this.#look(), Math.max(wait, pause));
    this.#timer.unref();
  }

  /** Until the next deadline, in milliseconds, with this SV's own delay. */
  #wait(): number | null {
    const { replica, nextDue, now, rank } = this.#parts;
    const due = nextDue();
    if (due === null || due <= replica.state.head.recordTime) return null;
    const left = Number((due - now()) / 1000n) + 1;
    return Math.min(Math.max(left, 0) + rank * STEP_MILLISECONDS, LONGEST_WAIT_MILLISECONDS);
  }

  #look(): void {
    const { replica, nextDue, now, tick, onError } = this.#parts;
    const due = nextDue();
    if (due === null || due <= replica.state.head.recordTime || due > now()) {
      this.#plan(0);
      return;
    }
    let pause = 0;
    this.#ticking = tick()
      .then(
        () => undefined,
        (error: unknown) => {
          pause = PAUSE_MILLISECONDS;
          onError(error);
        },
      )
      .finally(() => {
        this.#ticking = null;
        this.#plan(pause);
      });
  }
}
