import { expect, test } from "vitest";
import { damlFailures } from "./daml-failure.ts";
import { ledgerError } from "./ledger-error.ts";
import { resourceTypes } from "./resource-type.ts";
import { wireStatusOf } from "./wire-status.ts";

test("an error takes its category from the catalogue and has empty details by default", () => {
  expect(ledgerError("PARTY_NOT_FOUND", "No such party.")).toEqual({
    code: "PARTY_NOT_FOUND",
    cause: "No such party.",
    context: {},
    resources: [],
    category: 11,
  });
});

test("an error keeps the context and the resources it is given", () => {
  const error = ledgerError("DUPLICATE_COMMAND", "Seen before.", {
    context: { existing_submission_id: "s1" },
    resources: [["COMMAND_ID", "c1"]],
  });
  expect(error.context).toEqual({ existing_submission_id: "s1" });
  expect(error.resources).toEqual([["COMMAND_ID", "c1"]]);
  expect(error.category).toBe(10);
});

test("a contract's failure has the category that the contract chose", () => {
  const details = { category: 8, context: { error_id: "a/b" } } as const;
  expect(ledgerError("DAML_FAILURE", "Refused.", details).category).toBe(8);
});

test("the types ask for a category with DAML_FAILURE and refuse one elsewhere", () => {
  // This function only has to compile: it is the types that are under test.
  const misuse = () => {
    // @ts-expect-error The contract's category is missing.
    ledgerError("DAML_FAILURE", "Refused.");
    // @ts-expect-error The contract's category is missing.
    ledgerError("DAML_FAILURE", "Refused.", { context: {} });
    // @ts-expect-error The catalogue gives this category, nobody else.
    ledgerError("PARTY_NOT_FOUND", "No such party.", { category: 9 });
    // @ts-expect-error Category 13 is never an answer.
    ledgerError("DAML_FAILURE", "Refused.", { category: 13 });
  };
  expect(misuse).toBeTypeOf("function");
});

test.each([
  ["PARTY_NOT_FOUND", "NOT_FOUND", 5, 404, null, false],
  ["PERMISSION_DENIED", "PERMISSION_DENIED", 7, 403, null, true],
  ["SERVICE_NOT_RUNNING", "UNAVAILABLE", 14, 503, "1 second", false],
  ["REQUEST_TIME_OUT", "DEADLINE_EXCEEDED", 4, 504, "1 second", false],
  ["LEDGER_API_INTERNAL_ERROR", "INTERNAL", 13, 500, null, true],
  ["OFFSET_AFTER_LEDGER_END", "OUT_OF_RANGE", 11, 400, "1 second", false],
  ["LOCAL_VERDICT_INACTIVE_CONTRACTS", "NOT_FOUND", 5, 404, null, false],
  ["DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS", "INVALID_ARGUMENT", 3, 400, null, true],
  ["JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED", "ABORTED", 10, 413, "1 second", false],
  ["UNSUPPORTED_OPERATION", "UNIMPLEMENTED", 12, 501, null, false],
] as const)("%s is conveyed as %s", (code, ...expected) => {
  const { grpcCode, grpcNumber, httpStatus, retryInfo, redacted } = wireStatusOf(ledgerError(code, "Why."));
  expect([grpcCode, grpcNumber, httpStatus, retryInfo, redacted]).toEqual(expected);
});

test("a contract's failure is conveyed by its own category", () => {
  const status = (category: 8 | 9 | 11) =>
    wireStatusOf(ledgerError("DAML_FAILURE", "Refused.", { category })).grpcCode;
  expect([status(8), status(9), status(11)]).toEqual([
    "INVALID_ARGUMENT",
    "FAILED_PRECONDITION",
    "NOT_FOUND",
  ]);
});

/** The prefix of every error id that a contract of the name service, the coin or the wallet raises on purpose. */
const SPLICE_ERROR_ID_PREFIX = "splice.lfdecentralizedtrust.org/";

test("the failures that contracts raise have their known categories and metadata", () => {
  const known = Object.entries(damlFailures).map(([id, row]) => [id, row.category, row.metadataKeys]);
  expect(known).toEqual([
    [`${SPLICE_ERROR_ID_PREFIX}unknown-synchronizer`, 8, ["synchronizerId"]],
    [`${SPLICE_ERROR_ID_PREFIX}insufficient-topup-amount`, 9, ["requestedTopupAmount", "minTopupAmount"]],
    [`${SPLICE_ERROR_ID_PREFIX}insufficient-funds`, 9, ["requiredAmount"]],
    [`${SPLICE_ERROR_ID_PREFIX}maximum-inputs-exceeded`, 8, []],
    [`${SPLICE_ERROR_ID_PREFIX}maximum-outputs-exceeded`, 8, []],
    ["stdlib.daml.com/deadline-exceeded", 9, ["deadline"]],
    ["stdlib.daml.com/deadline-not-exceeded", 9, ["deadline"]],
    ["UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed", 9, []],
    ["UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError", 9, []],
    ["UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError", 9, []],
    ["UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed", 9, []],
  ]);
});

test("the resource types are the twenty-seven that clients know", () => {
  expect(new Set(resourceTypes).size).toBe(27);
  expect(resourceTypes).toContain("PARTY");
  expect(resourceTypes).toContain("IDENTITY_PROVIDER_CONFIG");
});
