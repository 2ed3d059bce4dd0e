import type { Clock } from "../host/host.ts";

/** A value that is read on demand and cached for a time. Concurrent callers share one read. */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #milliseconds: number;
  readonly #clock: Clock;
  #value: { readonly value: T; readonly until: number } | undefined;
  #reading: Promise<T> | undefined;

  constructor(read: () => Promise<T>, milliseconds: number, clock: Clock) {
    this.#read = read;
    this.#milliseconds = milliseconds;
    this.#clock = clock;
  }

  get(): Promise<T> {
    const known = this.#findFresh();
    return known === undefined ? (this.#reading ?? this.#start()) : Promise.resolve(known.value);
  }

  /** The cached value; undefined if it has to be read. */
  find(): T | undefined {
    return this.#findFresh()?.value;
  }

  /** Later callers get a new read, also while an older one is still in flight. */
  drop(): void {
    this.#value = undefined;
    this.#reading = undefined;
  }

  #findFresh(): { readonly value: T } | undefined {
    const kept = this.#value;
    return kept !== undefined && this.#clock.elapsedMilliseconds() < kept.until ? kept : undefined;
  }

  #start(): Promise<T> {
    const reading = this.#read().then(
      (value) => {
        if (this.#reading === reading) {
          this.#value = { value, until: this.#clock.elapsedMilliseconds() + this.#milliseconds };
          this.#reading = undefined;
        }
        return value;
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        throw error;
      },
    );
    this.#reading = reading;
    return reading;
  }
}
