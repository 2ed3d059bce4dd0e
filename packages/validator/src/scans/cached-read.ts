/** A value that is read when it is wanted, and kept for a while. Those who want it at the same time share the read. */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #milliseconds: number;
  #value: { readonly value: T; readonly until: number } | undefined;
  #reading: Promise<T> | undefined;

  constructor(read: () => Promise<T>, milliseconds: number) {
    this.#read = read;
    this.#milliseconds = milliseconds;
  }

  get(): Promise<T> {
    if (this.#value !== undefined && performance.now() < this.#value.until) {
      return Promise.resolve(this.#value.value);
    }
    return this.#reading ?? this.#start();
  }

  /** What is wanted from now on is read anew, also while an older read is still on its way. */
  drop(): void {
    this.#value = undefined;
    this.#reading = undefined;
  }

  #start(): Promise<T> {
    const reading = this.#read().then(
      (value) => {
        if (this.#reading === reading) {
          this.#value = { value, until: performance.now() + this.#milliseconds };
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
