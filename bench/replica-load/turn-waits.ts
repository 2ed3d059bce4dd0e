/** How long other work of this process waits for its turn, in milliseconds: a timer is set again and again, and is late by so much. */
const PAUSE_MILLISECONDS = 1;

export class TurnWaits {
  readonly #waits: number[] = [];
  #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = this.#set();
  }

  /** Ends, and returns the waits so far. */
  end(): readonly number[] {
    clearTimeout(this.#timer);
    return this.#waits;
  }

  #set(): NodeJS.Timeout {
    const due = performance.now() + PAUSE_MILLISECONDS;
    return setTimeout(() => {
      this.#waits.push(Math.max(performance.now() - due, 0));
      this.#timer = this.#set();
    }, PAUSE_MILLISECONDS);
  }
}
