/**
 * The record of an administrative change: who, what, with which outcome. It is written for callers who may make the change;
 * others are refused, and stand in the log of refusals.
 */
import type { IncomingMessage } from "node:http";
import { type AnyRequest, type Endpoint, isAudited } from "@callsign/api";
import { type Log, writeAudit } from "../observability/log.ts";
import type { Incoming } from "./call.ts";
import { callerAddressOf } from "./caller-address.ts";
import { MAX_REASON_LENGTH } from "./limits.ts";
import { cleanReason, reasonOf } from "./refusal-log.ts";

interface AuditedCall {
  readonly endpoint: Endpoint;
  readonly incoming: Incoming;
  readonly request: IncomingMessage;
  readonly user: string | null;
  readonly setting: { readonly log: Log };
  /** The request, from the beginning of its record to the end. */
  audited: AnyRequest | null;
}

type Outcome = "done" | { readonly status: number; readonly error: unknown };

/** Begins a record, if the operation leaves one. */
export function beginAudit(call: AuditedCall, request: AnyRequest): void {
  if (isAudited(call.endpoint)) call.audited = request;
}

/** Writes the record that was begun. A stranger's failure at an open operation is a refusal like any other. */
export function endAudit(call: AuditedCall, outcome: Outcome): void {
  const { audited, endpoint, incoming, request, user, setting } = call;
  if (audited === null || (outcome !== "done" && endpoint.auth === "none")) return;
  call.audited = null;
  const ended =
    outcome === "done"
      ? { outcome }
      : {
          outcome: "failed",
          status: outcome.status,
          reason: cleanReason(reasonOf(outcome.error)),
        };
  writeAudit(
    setting.log,
    {
      traceId: incoming.traceId,
      ...(user === null ? {} : { user }),
      address: callerAddressOf(request.socket),
      operation: endpoint.id,
      target: describeTarget(audited),
      ...ended,
    },
    "an administrative operation was called",
  );
}

/** Path and body as JSON, without secrets, and not longer than a line should be. */
function describeTarget({ params, body }: AnyRequest): string {
  const text = JSON.stringify({ ...(params as object), ...(body as object | undefined) }, (key, value) => {
    if (/secret|token|password|passphrase|privateKey/i.test(key)) return "[Redacted]";
    return typeof value === "bigint" ? String(value) : value;
  });
  return text.slice(0, MAX_REASON_LENGTH);
}
