import { HttpError, type LedgerErrorBody, SchemaViolation, TransportError } from "@callsign/api";
import { TokenUnavailable } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { isProblem } from "../errors/validator-error.ts";
import { findMissingCoin, isContention, toValidatorError } from "../ledger/participant-errors.ts";
import { rejectionOf } from "./rejections.ts";

const site = { operation: "submitAndWaitForTransaction", url: "http://participant" };

function ledgerError(code: string, grpcCodeValue: number | null, change: Partial<LedgerErrorBody> = {}) {
  return {
    code,
    cause: "because",
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: 9,
    grpcCodeValue,
    retryInfo: null,
    definiteAnswer: true,
    ...change,
  };
}

function answerTo(error: unknown) {
  const rejection = rejectionOf(toValidatorError(error));
  return rejection === null ? null : { status: rejection.status, ...JSON.parse(rejection.body) };
}

test.each([
  ["CONTRACT_NOT_FOUND", 5, 404],
  ["DUPLICATE_COMMAND", 6, 409],
  ["SUBMISSION_ALREADY_IN_FLIGHT", 10, 429],
  ["PARTICIPANT_BACKPRESSURE", 10, 429],
  ["NOT_CONNECTED_TO_ANY_SYNCHRONIZER", 14, 503],
  ["INVALID_ARGUMENT", 3, 400],
  ["UNIMPLEMENTED", 12, 400],
  ["DAML_FAILURE", 9, 400],
  ["DAML_INTERPRETATION_ERROR", 9, 409],
  ["UNHANDLED_EXCEPTION", 9, 409],
  ["INTERPRETATION_USER_ERROR", 9, 409],
  ["TEMPLATE_PRECONDITION_VIOLATED", 3, 409],
  ["LEDGER_API_INTERNAL_ERROR", 13, 500],
  ["REQUEST_DEADLINE_EXCEEDED", 4, 500],
  ["NA", 7, 500],
  ["NA", 16, 500],
  ["NA", null, 500],
])("%s with gRPC code %s is answered with %i", (code, grpcCode, status) => {
  const error = new HttpError(site, 418, ledgerError(code, grpcCode));
  expect(answerTo(error)).toEqual({ status, error: `${code}: because` });
});

test("too little coin is told in a sentence with the amount that is missing", () => {
  const context = { error_id: "splice.lfdecentralizedtrust.org/insufficient-funds", requiredAmount: "160.0" };
  const body = ledgerError("DAML_FAILURE", 9, { context });
  expect(findMissingCoin(body)).toBe("160.0");
  const error = new HttpError(site, 400, body);
  expect(isProblem(toValidatorError(error), "not-enough-coin")).toBe(true);
  expect(answerTo(error)).toEqual({
    status: 400,
    error: "Not enough coin: 160.0 more is needed. Tap or receive coin, then try again.",
  });
  expect(isContention(body)).toBe(false);
});

test("a participant that does not answer, or not in its own words", () => {
  const silent = new TransportError({ site, failure: "network", problem: "refused" });
  expect(answerTo(silent).status).toBe(503);
  expect(answerTo(new HttpError(site, 503, "upstream")).status).toBe(503);
  // The reason is the operator's: it names addresses.
  const answer = answerTo(new TokenUnavailable("the token endpoint http://inside/token does not answer"));
  expect(answer.status).toBe(503);
  expect(answer.error).toMatch(/^The validator has no valid token for its participant/);
  expect(answer.error).not.toContain("inside");
  expect(answerTo(new HttpError(site, 418, "teapot")).status).toBe(500);
  const defect = new SchemaViolation(site, "nonsense");
  expect(toValidatorError(defect)).toBe(defect);
});

describe("other inputs may help against", () => {
  test.each([
    ["LOCAL_VERDICT_INACTIVE_CONTRACTS", 11],
    ["LOCAL_VERDICT_LOCKED_CONTRACTS", 2],
    ["CONTRACT_NOT_FOUND", 11],
    ["CONTRACT_NOT_ACTIVE", 11],
    ["INCONSISTENT", 9],
    ["LEDGER_TIME_OUTSIDE_BOUNDS", 8],
    ["PARTICIPANT_BACKPRESSURE", 2],
    ["SEQUENCER_BACKPRESSURE", 1],
  ])("%s", (code, errorCategory) => {
    expect(isContention(ledgerError(code, null, { errorCategory }))).toBe(true);
  });

  test.each([
    ["DAML_FAILURE", 9],
    ["DUPLICATE_COMMAND", 10],
    ["SUBMISSION_ALREADY_IN_FLIGHT", 2],
    ["INVALID_ARGUMENT", 8],
    ["NA", -1],
  ])("but not against %s", (code, errorCategory) => {
    expect(isContention(ledgerError(code, null, { errorCategory }))).toBe(false);
  });
});
