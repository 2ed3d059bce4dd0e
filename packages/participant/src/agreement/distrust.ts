/**
 * Sequencers that were caught with a false item. Each is left alone for a while, longer with each fault, and then trusted
 * again: it may have been repaired.
 */
import { backoffMilliseconds } from "@callsign/node";
import { DISTRUST, FORGIVEN_MILLISECONDS } from "../limits/limits.ts";

interface Record {
  readonly faults: number;
  readonly last: number;
}

export class Distrust {
  readonly #elapsed: () => number;
  readonly #current = new Set<number>();
  readonly #records = new Map<number, Record>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  get size(): number {
    return this.#current.size;
  }

  has(source: number): boolean {
    return this.#current.has(source);
  }

  /** Returns true for the first fault within a clean record, which is worth a line in the log. */
  begin(source: number): boolean {
    if (this.#current.has(source)) return false;
    this.#current.add(source);
    const now = this.#elapsed();
    const known = this.#records.get(source);
    const isNews = known === undefined || now - known.last > FORGIVEN_MILLISECONDS;
    this.#records.set(source, { faults: isNews ? 1 : known.faults + 1, last: now });
    return isNews;
  }

  /** The pause before the sequencer is asked again; null if it is trusted. */
  pauseOf(source: number): number | null {
    if (!this.#current.has(source)) return null;
    const faults = this.#records.get(source)?.faults ?? 1;
    return backoffMilliseconds(faults - 1, DISTRUST);
  }

  end(source: number): void {
    this.#current.delete(source);
  }
}
