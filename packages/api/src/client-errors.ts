/**
 * The three failures of a call: nothing came back (`TransportError`), the server said no (`HttpError`), or it
 * said something that is not in its contract (`SchemaViolation`). Only the second is an answer.
 */
import type { JsonValue } from "@callsign/ledger";
import { type LedgerErrorBody, LedgerErrorBody as ledgerErrorBody } from "./ledger/error-body.ts";
import { SpliceError } from "./splice/rejections.ts";
import { check } from "./wire/check.ts";

/** The operation and the address that a failed call was for. */
export interface CallSite {
  readonly operation: string;
  readonly url: string;
}

abstract class CallError extends Error {
  abstract readonly kind: "transport" | "http" | "schema";
  readonly site: CallSite;

  constructor(site: CallSite, problem: string, options?: ErrorOptions) {
    super(`${site.operation} at ${site.url}: ${problem}`, options);
    this.site = site;
  }
}

/**
 * `network`: no connection, or it broke. `timeout`: no whole answer in time. `aborted`: the caller gave up.
 * `too-large`: the answer exceeds the limit. `unsendable`: no URL can carry the parameter.
 */
export type TransportFailure = "network" | "timeout" | "aborted" | "too-large" | "unsendable";

interface FailedExchange {
  readonly site: CallSite;
  readonly failure: TransportFailure;
  readonly problem: string;
}

export class TransportError extends CallError {
  override readonly name = "TransportError";
  readonly kind = "transport";
  readonly failure: TransportFailure;

  constructor(failed: FailedExchange, options?: ErrorOptions) {
    super(failed.site, `${failed.failure}: ${failed.problem}`, options);
    this.failure = failed.failure;
  }
}

export class HttpError extends CallError {
  override readonly name = "HttpError";
  readonly kind = "http";
  readonly status: number;
  /** The body as JSON where it is JSON, otherwise its text. */
  readonly body: JsonValue;

  constructor(site: CallSite, status: number, body: JsonValue) {
    super(site, `status ${status}: ${summarize(body)}`);
    this.status = status;
    this.body = body;
  }
}

export class SchemaViolation extends CallError {
  override readonly name = "SchemaViolation";
  readonly kind = "schema";
}

export type CallFailure = TransportError | HttpError | SchemaViolation;

/** The message of a Splice application's error, whether JSON or text. */
export function findSpliceMessage(error: HttpError): string | undefined {
  if (typeof error.body === "string") return error.body;
  const body = check(SpliceError, error.body);
  return body.ok ? body.value.error : undefined;
}

export function findLedgerError(error: HttpError): LedgerErrorBody | undefined {
  const body = check(ledgerErrorBody, error.body);
  return body.ok ? body.value : undefined;
}

const SUMMARY_LENGTH = 300;

function summarize(body: JsonValue): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)}…` : text;
}
