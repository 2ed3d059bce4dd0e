import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { Backoff } from "../waiting/backoff.ts";
import { sleep } from "../waiting/sleep.ts";
import { OPEN_BACKOFF } from "./postgres-limits.ts";
import { DatabaseInUse, DatabaseRefused, StoreUnavailable } from "./store-errors.ts";

interface Patience {
  readonly host: Host;
  readonly log: Log;
  readonly patienceMilliseconds: number;
}

/** Opens something on a server. A server that does not answer is waited for; a refusal is thrown at once. */
export async function openPatiently<T>(
  { host, log, patienceMilliseconds }: Patience,
  open: () => Promise<T>,
): Promise<T> {
  const { elapsedMilliseconds } = host.clock;
  const end = elapsedMilliseconds() + patienceMilliseconds;
  const backoff = new Backoff(OPEN_BACKOFF);
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const { cause } = error;
      if (cause instanceof DatabaseInUse || cause instanceof DatabaseRefused) throw cause;
      if (elapsedMilliseconds() >= end) throw error;
      log.warn({ error: error.message }, "opening the database failed; it is retried");
    }
    await sleep(backoff.next(), { timers: host.timers });
  }
}
