import type { Timers } from "../host/host.ts";
import type { Backoff } from "./backoff.ts";
import { sleep } from "./sleep.ts";

export interface RetryOptions {
  readonly backoff: Backoff;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Called before each pause. Throwing ends the attempts: the error goes to the caller. */
  readonly onFailure?: (error: unknown) => void | Promise<void>;
}

/** The first success of the work. Rejects with the signal's reason once it aborts. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { backoff, timers, signal, onFailure } = options;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      await onFailure?.(error);
    }
    await sleep(backoff.next(), { timers, signal });
  }
}

/** Does the work again and again, with a pause after a failure only. Resolves once the signal aborts. */
export async function repeat(work: () => Promise<void>, options: RetryOptions): Promise<void> {
  const { backoff, signal } = options;
  try {
    while (!signal.aborted) {
      await retry(work, options);
      backoff.reset();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
