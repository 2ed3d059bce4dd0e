/** The shape of every error of the JSON Ledger API. */
import { expect } from "vitest";
import type { LedgerErrorBody } from "../../packages/api/src/index.ts";
import { errorOf, type RawAnswer, refusalOf } from "../participant/call.ts";

export type Failure = LedgerErrorBody & { readonly status: number };

/** The JSON API's own map of gRPC codes, typed by hand from its specification. */
const HTTP_STATUS_BY_GRPC_CODE: Readonly<Record<number, number>> = {
  1: 499,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
};

const GRPC_CODE_BY_CATEGORY: Readonly<Record<number, number>> = {
  1: 14,
  2: 10,
  3: 4,
  4: 13,
  5: 3,
  6: 16,
  7: 7,
  8: 3,
  9: 9,
  10: 6,
  11: 5,
  12: 11,
  14: 12,
};

/** The one code whose status is not its category's. */
const LIST_LIMIT = "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED";

/** The refusal, with what holds for every one of them checked. */
export function checkedFailure(failure: Failure): Failure {
  const { status, code, cause, errorCategory, grpcCodeValue, traceId, context, definiteAnswer } = failure;
  const said = `${status} ${code}: ${cause}`;
  expect(status, said).toBe(code === LIST_LIMIT ? 413 : HTTP_STATUS_BY_GRPC_CODE[grpcCodeValue ?? -1]);
  expect(traceId, said).toMatch(/^[0-9a-f]{32}$/);
  if (code === "NA") {
    expect([errorCategory, definiteAnswer, cause], said).toEqual([
      -1,
      null,
      "A security-sensitive error has been received",
    ]);
    return failure;
  }
  expect(code, said).toMatch(/^[A-Z0-9_]{1,63}$/);
  expect(grpcCodeValue, said).toBe(GRPC_CODE_BY_CATEGORY[errorCategory]);
  expect(definiteAnswer, said).toBeTypeOf("boolean");
  expect(cause.length, said).toBeGreaterThan(0);
  // Errors of the ledger's services repeat it for clients that read no other field.
  if ("category" in context) expect(context["category"], said).toBe(String(errorCategory));
  return failure;
}

/** The error of a typed client's call; the test fails if the call succeeds. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return checkedFailure(await refusalOf(promise));
}

/** The error of a raw call. */
export function failureIn(answer: RawAnswer): Failure {
  return checkedFailure(errorOf(answer));
}

/** Refused with that code, and that in its cause. */
export async function expectFailure(promise: Promise<unknown>, code: string, words = ""): Promise<Failure> {
  const failure = await failureOf(promise);
  expect(failure.code, failure.cause).toBe(code);
  expect(failure.cause).toContain(words);
  return failure;
}

/** The caller may not, or it is not theirs: nothing more is said. */
export async function expectDenied(promise: Promise<unknown>): Promise<Failure> {
  const failure = await failureOf(promise);
  expect([failure.status, failure.code, failure.grpcCodeValue], failure.cause).toEqual([403, "NA", 7]);
  return failure;
}
