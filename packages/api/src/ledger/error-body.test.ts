import { ledgerError } from "@callsign/ledger";
import { describe, expect, test } from "vitest";
import { formatLedgerError, ledgerRejection } from "./error-body.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const party = "alice::1220ab";

describe("the ledger error body", () => {
  test("says what went wrong, in the order of the wire", () => {
    const error = ledgerError(
      "PARTY_NOT_FOUND",
      `Party: '${party}' was not found when updating a party record`,
      {
        resources: [["PARTY", party]],
        context: { field: "party" },
      },
    );
    expect(JSON.stringify(formatLedgerError(error, { traceId }))).toBe(
      JSON.stringify({
        code: "PARTY_NOT_FOUND",
        cause: "Party: 'alice::1220ab' was not found when updating a party record",
        correlationId: null,
        traceId,
        context: { field: "party", category: "11", definite_answer: "false", tid: traceId },
        resources: [["PARTY", party]],
        errorCategory: 11,
        grpcCodeValue: 5,
        retryInfo: null,
        definiteAnswer: false,
      }),
    );
  });

  test("carries the submission's id, the retry advice and whether the answer is final", () => {
    const error = ledgerError("CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED", "again");
    expect(formatLedgerError(error, { traceId, submissionId: "s-1", definiteAnswer: true })).toMatchObject({
      correlationId: "s-1",
      retryInfo: "1 second",
      definiteAnswer: true,
      context: { definite_answer: "true", category: "2" },
    });
  });

  test("cuts a long cause", () => {
    const at = (length: number) =>
      formatLedgerError(ledgerError("INVALID_ARGUMENT", "x".repeat(length)), { traceId }).cause;
    expect(at(512)).toBe("x".repeat(512));
    expect(at(513)).toBe(`${"x".repeat(512)}...`);
  });

  test("of a security-sensitive error tells nothing but the ids", () => {
    const error = ledgerError("PERMISSION_DENIED", "bob may not read as alice", {
      resources: [["PARTY", party]],
      context: { user: "bob" },
    });
    const redacted = {
      code: "NA",
      cause: "A security-sensitive error has been received",
      correlationId: traceId,
      traceId,
      context: {},
      resources: [],
      errorCategory: -1,
      grpcCodeValue: 7,
      retryInfo: null,
      definiteAnswer: null,
    };
    expect(formatLedgerError(error, { traceId, definiteAnswer: true })).toEqual(redacted);
    expect(formatLedgerError(error, { traceId, whileResolvingToken: true })).toEqual({
      ...redacted,
      context: { ledger_api_error: "invalid token" },
    });
  });

  test.each([
    ["INVALID_ARGUMENT", 400],
    ["UNAUTHENTICATED", 401],
    ["PERMISSION_DENIED", 403],
    ["CONTRACT_EVENTS_NOT_FOUND", 404],
    ["DUPLICATE_COMMAND", 409],
    ["OFFSET_AFTER_LEDGER_END", 400],
    ["JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED", 413],
    ["LEDGER_API_INTERNAL_ERROR", 500],
    ["SERVICE_NOT_RUNNING", 503],
    ["REQUEST_TIME_OUT", 504],
  ] as const)("%s is sent with status %i", (code, status) => {
    const rejection = ledgerRejection(ledgerError(code, "because"), { traceId });
    expect(rejection.status).toBe(status);
    expect(rejection.headers).toEqual({ "content-type": "application/json" });
    expect(JSON.parse(rejection.body)).toHaveProperty("errorCategory");
  });
});
