/** Tells waiting callers of a change. A wait ends with the change, with its time or with its signal. */
import type { Timer, Timers } from "../host/host.ts";
import { onAbort } from "./abort.ts";

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** No limit if omitted. */
  readonly milliseconds?: number | undefined;
}

export class Bell {
  readonly #timers: Timers;
  readonly #listeners = new Set<() => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  ring(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves with the next ring, or when the wait is over; never rejects. */
  async wait(options: WaitOptions): Promise<void> {
    await this.#listen(() => true, options);
  }

  /** Resolves with true as soon as the condition holds, now or at a ring, and with false when the wait is over. */
  async until(holds: () => boolean, options: WaitOptions): Promise<boolean> {
    return holds() || (await this.#listen(holds, options));
  }

  #listen(holds: () => boolean, { signal, milliseconds }: WaitOptions): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const finish = (result: boolean) => {
        this.#timers.clear(timer);
        stopListening();
        this.#listeners.delete(look);
        resolve(result);
      };
      const look = () => {
        if (holds()) finish(true);
      };
      const stopListening = onAbort(signal, () => finish(false));
      if (milliseconds !== undefined) timer = this.#timers.set(() => finish(false), milliseconds);
      this.#listeners.add(look);
    });
  }
}
