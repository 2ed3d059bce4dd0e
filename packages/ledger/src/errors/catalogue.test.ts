import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type CodeRow, errorAreas, errorCatalogue } from "./catalogue.ts";
import { type CategoryRow, errorCategories, grpcCodes } from "./category.ts";
import { formatErrorDocs } from "./format-error-docs.ts";

const codes = Object.entries<CodeRow>(errorCatalogue);

// Expected values are typed by hand from what a participant is known to answer, not read from the table.

test.each([
  [1, "UNAVAILABLE", 14, 503, "1 second", false, "retry-with-back-off"],
  [2, "ABORTED", 10, 409, "1 second", false, "retry-soon"],
  [3, "DEADLINE_EXCEEDED", 4, 504, "1 second", false, "retry-few-times"],
  [4, "INTERNAL", 13, 500, null, true, "call-operator"],
  [5, "INVALID_ARGUMENT", 3, 400, null, true, "give-up"],
  [6, "UNAUTHENTICATED", 16, 401, null, true, "fix-token"],
  [7, "PERMISSION_DENIED", 7, 403, null, true, "fix-rights"],
  [8, "INVALID_ARGUMENT", 3, 400, null, false, "fix-request"],
  [9, "FAILED_PRECONDITION", 9, 400, null, false, "change-state"],
  [10, "ALREADY_EXISTS", 6, 409, null, false, "inspect"],
  [11, "NOT_FOUND", 5, 404, null, false, "inspect"],
  [12, "OUT_OF_RANGE", 11, 400, "1 second", false, "wait-and-retry"],
  [13, null, null, null, null, false, null],
  [14, "UNIMPLEMENTED", 12, 501, null, true, "give-up"],
] as const)("category %i is conveyed as %s", (category, ...expected) => {
  const { grpcCode, grpcNumber, httpStatus, retryInfo, redacted, stance } = errorCategories[category];
  expect([grpcCode, grpcNumber, httpStatus, retryInfo, redacted, stance]).toEqual(expected);
});

test("there are fourteen categories, each with a meaning and an advice in whole sentences", () => {
  expect(Object.keys(errorCategories)).toEqual("1 2 3 4 5 6 7 8 9 10 11 12 13 14".split(" "));
  for (const { meaning, advice } of Object.values<CategoryRow>(errorCategories)) {
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

test("the gRPC codes have the protocol's numbers and the JSON API's HTTP statuses", () => {
  expect(grpcCodes).toEqual({
    OK: { number: 0, httpStatus: 200 },
    CANCELLED: { number: 1, httpStatus: 499 },
    UNKNOWN: { number: 2, httpStatus: 500 },
    INVALID_ARGUMENT: { number: 3, httpStatus: 400 },
    DEADLINE_EXCEEDED: { number: 4, httpStatus: 504 },
    NOT_FOUND: { number: 5, httpStatus: 404 },
    ALREADY_EXISTS: { number: 6, httpStatus: 409 },
    PERMISSION_DENIED: { number: 7, httpStatus: 403 },
    RESOURCE_EXHAUSTED: { number: 8, httpStatus: 429 },
    FAILED_PRECONDITION: { number: 9, httpStatus: 400 },
    ABORTED: { number: 10, httpStatus: 409 },
    OUT_OF_RANGE: { number: 11, httpStatus: 400 },
    UNIMPLEMENTED: { number: 12, httpStatus: 501 },
    INTERNAL: { number: 13, httpStatus: 500 },
    UNAVAILABLE: { number: 14, httpStatus: 503 },
    DATA_LOSS: { number: 15, httpStatus: 500 },
    UNAUTHENTICATED: { number: 16, httpStatus: 401 },
  });
});

test.each([
  ["UNAUTHENTICATED", 6],
  ["PERMISSION_DENIED", 7],
  ["INTERNAL_AUTHORIZATION_ERROR", 4],
  ["INVALID_TOKEN", 8],
  ["PARTY_NOT_FOUND", 11],
  ["INVALID_PARTY_DETAILS_UPDATE_REQUEST", 8],
  ["CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED", 2],
  ["MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED", 9],
  ["INTERNAL_PARTY_RECORD_NOT_FOUND", 4],
  ["USER_NOT_FOUND", 11],
  ["USER_ALREADY_EXISTS", 10],
  ["TOO_MANY_USER_RIGHTS", 9],
  ["UNKNOWN_RESOURCE", 11],
  ["IDP_CONFIG_ISSUER_ALREADY_EXISTS", 10],
  ["TOO_MANY_IDENTITY_PROVIDER_CONFIGS", 9],
  ["INVALID_FIELD", 8],
  ["OFFSET_AFTER_LEDGER_END", 12],
  ["OFFSET_OUT_OF_RANGE", 9],
  ["CONTRACT_EVENTS_NOT_FOUND", 11],
  ["PARTICIPANT_PRUNING_IN_PROGRESS", 9],
  ["PARTICIPANT_CONTRACT_PRUNING_BLOCKED", 2],
  ["SUBMISSION_ALREADY_IN_FLIGHT", 2],
  ["CONTRACT_NOT_FOUND", 11],
  ["DUPLICATE_CONTRACT_KEY", 10],
  ["DAML_AUTHORIZATION_ERROR", 8],
  ["CONTRACT_NOT_ACTIVE", 11],
  ["UNHANDLED_EXCEPTION", 9],
  ["TEMPLATE_PRECONDITION_VIOLATED", 8],
  ["UNKNOWN_INFORMEES", 11],
  ["PACKAGE_SELECTION_FAILED", 9],
  ["NOT_SEQUENCED_TIMEOUT", 2],
  ["LOCAL_VERDICT_TIMEOUT", 2],
  ["LOCAL_VERDICT_LOCKED_CONTRACTS", 2],
  ["LOCAL_VERDICT_INACTIVE_CONTRACTS", 11],
  ["ZIP_BOMB", 8],
  ["AMBIGUOUS_VETTING_REFERENCE", 9],
  ["JSON_API_PACKAGE_SELECTION_FAILED", 9],
  ["REQUEST_TIME_OUT", 3],
  ["SERVICE_NOT_RUNNING", 1],
  ["PARTICIPANT_BACKPRESSURE", 2],
  ["LEDGER_API_INTERNAL_ERROR", 4],
  ["UNSUPPORTED_OPERATION", 14],
] as const)("%s is in category %i", (code, category) => {
  expect(errorCatalogue[code].category).toBe(category);
});

test("the extras of a code are exactly the known ones", () => {
  const withExtras = codes.flatMap(([code, { area: _area, category: _category, ...extras }]) =>
    Object.keys(extras).length === 0 ? [] : [[code, extras]],
  );
  expect(Object.fromEntries(withExtras)).toEqual({
    ACCESS_TOKEN_EXPIRED: { streamsOnly: true },
    STALE_STREAM_AUTHORIZATION: { streamsOnly: true },
    MISSING_FIELD: { contextKey: "field_name" },
    INVALID_DEDUPLICATION_PERIOD: { contextKey: "longest_duration" },
    DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS: { redacted: true },
    SYNCHRONIZER_NOT_FOUND: { since: "3.6" },
    PARTY_SIGNING_KEYS_NOT_FOUND: { since: "3.6" },
    COMPLETION_NOT_FOUND: { since: "3.6" },
    PARTICIPANT_PRUNED_DATA_ACCESSED: { contextKey: "earliest_offset" },
    PARTICIPANT_DATA_ACCESSED_AFTER_LEDGER_END: { contextKey: "latest_offset" },
    DUPLICATE_COMMAND: { contextKey: "existing_submission_id" },
    UNSUPPORTED_CONTRACT_ID: { since: "3.6" },
    DAML_FAILURE: { contextKey: "error_id" },
    LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT: { since: "3.6" },
    LOCAL_VERDICT_MALFORMED_REQUEST: { redacted: true },
    LOCAL_VERDICT_MALFORMED_PAYLOAD: { redacted: true },
    LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK: { redacted: true },
    LOCAL_VERDICT_BAD_ROOT_HASH_MESSAGES: { redacted: true },
    LOCAL_VERDICT_CREATES_EXISTING_CONTRACTS: { redacted: true },
    LOCAL_VERDICT_ACTIVATES_EXISTING_CONTRACTS: { redacted: true },
    JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED: { httpStatus: 413 },
    UNSUPPORTED_OPERATION: { redacted: false },
  });
});

test("every code fits the wire's grammar and has a category that an API can answer with", () => {
  for (const [code, { area, category }] of codes) {
    expect(code).toMatch(/^[A-Z0-9_]{1,63}$/);
    expect(errorAreas).toHaveProperty(area);
    if (category === "by-contract") expect(code).toBe("DAML_FAILURE");
    else expect(errorCategories[category].grpcCode).not.toBeNull();
  }
});

test("docs/errors.md lists the catalogue", async () => {
  const path = fileURLToPath(new URL("../../../../docs/errors.md", import.meta.url));
  const fix = "run: npm test -- packages/ledger/src/errors -u";
  await expect(formatErrorDocs(), fix).toMatchFileSnapshot(path);
});
