/**
 * Runs until SIGINT or SIGTERM, then closes, and resolves with the exit code. A second signal, or a close that takes too
 * long, ends the process at once: acknowledged data is on disk.
 */
import type { Host } from "../host/host.ts";

export interface StoppableParts {
  readonly close: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly host: Pick<Host, "clock" | "timers">;
  /** After its end, signals have their usual effect again. */
  readonly until?: AbortSignal;
}

/** Signals within this time are one request: a terminal signals every process of its group, and npm forwards its own. */
const SAME_SIGNAL_MILLISECONDS = 500;
const INTERRUPTED = 130;
/** A close that takes longer is forced. */
const STOP_MILLISECONDS = 10_000;

export function untilStopped(parts: StoppableParts): Promise<number> {
  const { close, onFailure, host, until } = parts;
  const { clock, timers } = host;
  let stoppedAt = Number.POSITIVE_INFINITY;
  return new Promise((resolve) => {
    const stop = () => {
      if (clock.elapsedMilliseconds() > stoppedAt + SAME_SIGNAL_MILLISECONDS) process.exit(INTERRUPTED);
      if (stoppedAt < Number.POSITIVE_INFINITY) return;
      stoppedAt = clock.elapsedMilliseconds();
      timers.set(() => process.exit(1), STOP_MILLISECONDS).unref();
      close().then(
        () => resolve(0),
        (error: unknown) => {
          onFailure(error);
          resolve(1);
        },
      );
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, stop);
      until?.addEventListener("abort", () => void process.off(signal, stop), { once: true });
    }
  });
}
