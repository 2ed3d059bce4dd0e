/**
 * W3C trace context. A call that this process answers belongs to a trace: the caller's, or a new one. Calls that it makes
 * meanwhile carry the trace on, with this process as their parent; `tracestate` is handed on as it came.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Randomness } from "../host/host.ts";

export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** The header of calls within it and of its answer. */
  readonly traceparent: string;
  /** The caller's, or undefined; a long one is dropped. */
  readonly tracestate: string | undefined;
}

/** W3C has this much handed on; more could make a call too large for its receiver. */
const MAX_TRACESTATE = 512;

type Header = string | readonly string[] | undefined;

/** The header by W3C's rules, where zeros alone are no id. A header that cannot be read counts as none. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

export function startTrace(traceparent: Header, tracestate: Header, { bytes }: Randomness): Trace {
  const random = (length: number) => Buffer.from(bytes(length)).toString("hex");
  const [, traceId = random(16), flags = "00"] = TRACEPARENT.exec(String(traceparent ?? "")) ?? [];
  const state = String(tracestate ?? "");
  return {
    traceId,
    traceparent: `00-${traceId}-${random(8)}-${flags}`,
    tracestate: state === "" || state.length > MAX_TRACESTATE ? undefined : state,
  };
}

/** A call that makes its trace when it is asked for: most calls end without. */
export interface Traced {
  readonly trace: Trace;
}

const calls = new AsyncLocalStorage<Traced>();

/** Runs the work of a call, and everything it begins, within its trace. */
export function runInTrace<T>(call: Traced, work: () => T): T {
  return calls.run(call, work);
}

/** Runs work that all callers share outside of the trace of the one that happened to begin it. */
export function runOutsideTraces<T>(work: () => T): T {
  return calls.exit(work);
}

/** Headers of an outgoing call; none outside of a call. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const call = calls.getStore();
  if (call === undefined) return {};
  const { traceparent, tracestate } = call.trace;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
