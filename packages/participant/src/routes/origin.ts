/** The origin of a submission: its user, and the trace of its request. */
import type { Call } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import { MAX_TRACESTATE } from "../limits/limits.ts";
import type { Origin } from "../submission/command-submitter.ts";

/** The format of W3C's Trace Context; another value is ignored. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

export function originOf({ caller, header }: Call<LedgerCaller>): Origin {
  const traceparent = header("traceparent");
  if (traceparent === undefined || !TRACEPARENT.test(traceparent))
    return { userId: caller.userId, trace: null };
  const state = header("tracestate");
  const tracestate = state === undefined || state.length > MAX_TRACESTATE ? null : state;
  return { userId: caller.userId, trace: { traceparent, tracestate } };
}
