import type { Timers } from "../host/host.ts";
import { onAbort } from "./abort.ts";
import { sleep } from "./sleep.ts";

/** A signal that aborts after a time, or earlier with other signals. Its timer does not keep the process alive. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time is over, whatever aborted the signal. */
  readonly isPast: () => boolean;
  /** Begins the time anew, with another length. A deadline that is past stays so. */
  readonly restart: (milliseconds: number) => void;
  /** Ends the deadline: its signal aborts no more. */
  readonly clear: () => void;
}

export interface DeadlineOptions {
  readonly timers: Timers;
  /** Each of them aborts the deadline's signal as well. */
  readonly signals?: readonly (AbortSignal | undefined)[];
}

export function startDeadline(milliseconds: number, { timers, signals = [] }: DeadlineOptions): Deadline {
  const ending = new AbortController();
  let isPast = false;
  // `AbortSignal.any` costs several times as much as listeners, and its signals are left to the garbage collector.
  const listening = signals.map((signal) => onAbort(signal, () => ending.abort(signal?.reason)));
  const stopListening = () => {
    for (const stop of listening) stop();
  };
  const start = (length: number) => {
    const timer = timers.set(() => {
      isPast = true;
      stopListening();
      ending.abort(new DOMException(`the deadline of ${length} ms is past`, "TimeoutError"));
    }, length);
    timer.unref();
    return timer;
  };
  let timer = start(milliseconds);
  return {
    signal: ending.signal,
    isPast: () => isPast,
    restart: (length) => {
      timers.clear(timer);
      timer = start(length);
    },
    clear: () => {
      timers.clear(timer);
      stopListening();
    },
  };
}

/** Resolves with the work, or after the time. The work itself goes on. */
export async function waitAtMost(
  work: Promise<unknown>,
  milliseconds: number,
  timers: Timers,
): Promise<void> {
  const ended = new AbortController();
  const late = sleep(milliseconds, { timers, signal: ended.signal });
  await Promise.race([work, late]).finally(() => ended.abort());
}

/** Rejects with a `TimeoutError` if the work takes longer. The work itself goes on; its later failure is ignored. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, timers: Timers): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = timers.set(() => {
    reject(
      new DOMException(`it takes longer than ${milliseconds} ms, and is not waited for`, "TimeoutError"),
    );
  }, milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    timers.clear(timer);
  }
}
