/** One request and its answer over HTTP: within a time, within a size, or a `TransportError`. */
import { type CallSite, TransportError, type TransportFailure } from "./client-errors.ts";
import { readBounded } from "./read-bounded.ts";

/** As much of the platform's `fetch` as is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** As much of a host's timers as is used. */
export interface CallTimers {
  set(callback: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

export const platformTimers: CallTimers = { set: setTimeout, clear: clearTimeout };

export interface ExchangeLimits {
  readonly timers: CallTimers;
  readonly timeoutMilliseconds: number;
  readonly maxResponseBytes: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The value of a header; null if there is none. */
  readonly header: (name: string) => string | null;
}

/** The limits hold until the whole answer has been read. A redirect is an answer: it is not followed. */
export async function exchange(
  fetch: Fetch,
  site: CallSite,
  request: RequestInit,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  const { timers, maxResponseBytes, signal: callers } = limits;
  // A signal that times out by itself would go on to do so after the answer has come; `AbortSignal.any` costs several times
  // as much as a listener.
  const ending = new AbortController();
  let isLate = false;
  const timer = timers.set(() => {
    isLate = true;
    ending.abort();
  }, limits.timeoutMilliseconds);
  const giveUp = () => ending.abort(callers?.reason);
  if (callers?.aborted === true) giveUp();
  else callers?.addEventListener("abort", giveUp, { once: true });
  try {
    const response = await fetch(site.url, { ...request, redirect: "manual", signal: ending.signal });
    const text = await readBounded(response, maxResponseBytes);
    const { status, headers } = response;
    if (text !== undefined) return { status, text, header: (name) => headers.get(name) };
  } catch (cause) {
    throw new TransportError({ site, ...explain(cause, callers?.aborted === true, isLate) }, { cause });
  } finally {
    timers.clear(timer);
    callers?.removeEventListener("abort", giveUp);
  }
  throw new TransportError({ site, failure: "too-large", problem: `more than ${maxResponseBytes} bytes` });
}

/** fetch says only that it failed; the reason stands in its cause. */
function explain(
  error: unknown,
  givenUp: boolean,
  late: boolean,
): { failure: TransportFailure; problem: string } {
  if (givenUp) return { failure: "aborted", problem: "the caller gave up" };
  if (late) return { failure: "timeout", problem: "no whole answer in time" };
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { failure: "network", problem: reason instanceof Error ? reason.message : String(reason) };
}
