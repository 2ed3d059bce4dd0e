/**
 * The offset up to which the copy of the ledger has come. While the copy is rebuilt it lacks contracts, until it comes
 * to the offset at which it is whole again.
 */
import { Bell, type Timers } from "@callsign/node";

export class CopyPosition {
  readonly #bell: Bell;
  #offset: number;
  #wholeAt: number | null = null;

  constructor(offset: number, timers: Timers) {
    this.#offset = offset;
    this.#bell = new Bell(timers);
  }

  get offset(): number {
    return this.#offset;
  }

  get isRebuilding(): boolean {
    return this.#wholeAt !== null;
  }

  moveTo(offset: number): void {
    this.#offset = offset;
    if (this.#wholeAt !== null && offset >= this.#wholeAt) this.#wholeAt = null;
    this.#bell.ring();
  }

  /** Empties the copy. It counts as incomplete from before that on, also if emptying fails. */
  async rebuild(wholeAt: number, empty: () => Promise<void>): Promise<void> {
    this.#wholeAt = wholeAt;
    await empty();
    this.#offset = 0;
  }

  /** Resolves with true once the copy has come to the offset, and with false when the time is over. */
  waitFor(offset: number, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return this.until(() => this.#offset >= offset, milliseconds, signal);
  }

  /** The same for any condition that changes with the copy. */
  until(holds: () => boolean, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return this.#bell.until(holds, { milliseconds, signal });
  }

  /** Lets waiting callers look again. */
  ring(): void {
    this.#bell.ring();
  }
}
