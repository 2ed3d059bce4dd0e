/**
 * The ledger error body. Every error of a ledger operation has this shape, also where Canton answers with a line
 * of text. Security-sensitive errors are redacted: they say only that there is one, and which ids to ask with.
 */
import { type LedgerError, wireStatusOf } from "@callsign/ledger";
import { z } from "zod";
import { jsonRejection, type Rejection } from "../rejection.ts";
import { mapOf } from "../wire/map-of.ts";
import { int32 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

export const LedgerErrorBody = z
  .object({
    code: z.string(),
    cause: z.string(),
    correlationId: orNull(z.string()),
    traceId: orNull(z.string()),
    context: mapOf(z.string()).default({}),
    /** Pairs of a resource's type and its name. */
    resources: z.array(z.array(z.string())).default([]),
    /** 1 to 14, or -1 where the error is redacted. */
    errorCategory: int32,
    grpcCodeValue: orNull(int32),
    /** For people: `1 second`. */
    retryInfo: orNull(z.string()),
    /** True if the answer is final; null where the error is redacted. */
    definiteAnswer: orNull(z.boolean()),
  })
  .meta({ id: "JsCantonError" });
export type LedgerErrorBody = z.output<typeof LedgerErrorBody>;

export const LEDGER_MAX_BODY_BYTES = 10 * 1024 * 1024;

const MAX_CAUSE = 512;
const REDACTED_CODE = "NA";
const REDACTED_CAUSE = "A security-sensitive error has been received";

export interface ErrorOccasion {
  /** 32 hex digits: the caller's, or made for this request. */
  readonly traceId: string;
  /**
   * The layer that found the error: the ledger's services, or the JSON layer before them, which tells less of
   * itself.
   */
  readonly layer?: "json";
  /** The node that answers, for errors of the ledger's services. */
  readonly participant?: string;
  /** Of a submission that named its own id. */
  readonly submissionId?: string;
  /** The error came with a token that is valid but whose user is not: the one thing a redacted body tells. */
  readonly whileResolvingToken?: boolean;
  /** True if a command is known never to have been executed, now or later. */
  readonly definiteAnswer?: boolean;
}

export function formatLedgerError(error: LedgerError, occasion: ErrorOccasion): LedgerErrorBody {
  const { grpcNumber, retryInfo, redacted } = wireStatusOf(error);
  const token = occasion.whileResolvingToken === true ? { ledger_api_error: "invalid token" } : {};
  if (redacted) {
    return {
      code: REDACTED_CODE,
      cause: REDACTED_CAUSE,
      correlationId: occasion.traceId,
      traceId: occasion.traceId,
      context: token,
      resources: [],
      errorCategory: -1,
      grpcCodeValue: grpcNumber,
      retryInfo: null,
      definiteAnswer: null,
    };
  }
  const definiteAnswer = occasion.definiteAnswer ?? false;
  const isJson = occasion.layer === "json";
  return {
    code: error.code,
    cause: error.cause.length > MAX_CAUSE ? `${error.cause.slice(0, MAX_CAUSE)}...` : error.cause,
    correlationId: isJson ? occasion.traceId : (occasion.submissionId ?? null),
    traceId: occasion.traceId,
    context: {
      ...error.context,
      ...token,
      ...(isJson ? {} : serviceContext(error, occasion, definiteAnswer)),
    },
    resources: error.resources.map(([type, name]) => [type, name]),
    errorCategory: error.category,
    grpcCodeValue: grpcNumber,
    retryInfo,
    definiteAnswer,
  };
}

function serviceContext(
  { category }: LedgerError,
  { traceId, participant }: ErrorOccasion,
  definiteAnswer: boolean,
): Record<string, string> {
  return {
    ...(participant === undefined ? {} : { participant }),
    category: String(category),
    definite_answer: String(definiteAnswer),
    tid: traceId,
  };
}

export function ledgerRejection(error: LedgerError, occasion: ErrorOccasion): Rejection {
  return jsonRejection(wireStatusOf(error).httpStatus, formatLedgerError(error, occasion));
}
