import type { Timers } from "../host/host.ts";
import { onAbort } from "./abort.ts";

export interface SleepOptions {
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves after the time, or as soon as the signal aborts; never rejects. */
export function sleep(milliseconds: number, { timers, signal }: SleepOptions): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      timers.clear(timer);
      stopListening();
      resolve();
    };
    const timer = timers.set(wake, milliseconds);
    const stopListening = onAbort(signal, wake);
  });
}

/** Lets ready input and output go first: for long work on the one thread. */
export function nextTurn(timers: Timers): Promise<void> {
  return new Promise((resolve) => timers.soon(resolve));
}
