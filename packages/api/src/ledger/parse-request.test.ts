import { describe, expect, test } from "vitest";
import { submission } from "../../testing/examples/ledger-submission.ts";
import { ledgerApi } from "./api.ts";
import { parseLedgerBody, parseLedgerParams, parseLedgerQuery, parseLedgerRequest } from "./parse-request.ts";

const { endpoints } = ledgerApi;

function refused(what: string) {
  return {
    ok: false,
    refusal: {
      code: "INVALID_ARGUMENT",
      category: 8,
      cause: `Invalid value for: ${what}`,
      context: {},
      resources: [],
    },
  };
}

describe("path and query", () => {
  test("a party with every legal character and a user with every symbol arrive whole", () => {
    const party = "Carol:-_ 1::1220ab";
    expect(parseLedgerParams(endpoints.getParties, { party: encodeURIComponent(party) })).toEqual({
      ok: true,
      value: { party },
    });
    const user = "a@^$.!`-#+'~_|:()0";
    expect(parseLedgerParams(endpoints.getUser, { "user-id": encodeURIComponent(user) })).toEqual({
      ok: true,
      value: { "user-id": user },
    });
  });

  test("a parameter that is no text is refused by name", () => {
    expect(parseLedgerParams(endpoints.getUser, { "user-id": "%ff" })).toEqual(
      refused("path parameter user-id"),
    );
    expect(parseLedgerQuery(endpoints.listParties, "pageSize=%ff")).toEqual(refused("query string"));
  });

  test("repeated parties are all read, in their order", () => {
    expect(parseLedgerQuery(endpoints.getParties, "parties=b&parties=a&parties=")).toEqual({
      ok: true,
      value: { "identity-provider-id": "", parties: ["b", "a", ""] },
    });
  });

  test.each(["abc", "", "1.5", "2147483648"])("pageSize=%s is refused", (size) => {
    expect(parseLedgerQuery(endpoints.listParties, `pageSize=${size}`)).toEqual(
      refused("query parameter pageSize"),
    );
  });

  test("a limit is an int64", () => {
    expect(parseLedgerQuery(endpoints.listUpdates, "limit=9223372036854775807")).toEqual({
      ok: true,
      value: { limit: 9223372036854775807n, stream_idle_timeout_ms: null },
    });
    expect(parseLedgerQuery(endpoints.listUpdates, "limit=x")).toEqual(refused("query parameter limit"));
  });
});

describe("a body", () => {
  const submit = (change: object) =>
    parseLedgerBody(endpoints.submitAndWait, JSON.stringify({ ...submission.sent, ...change }));
  const exercise = submission.sent.commands[0]?.ExerciseCommand;

  test("is read whatever its content type says", () => {
    const raw = { params: {}, search: "", contentType: "text/plain", body: JSON.stringify(submission.sent) };
    expect(parseLedgerRequest(endpoints.submitAndWait, raw)).toEqual({
      ok: true,
      value: { params: {}, query: {}, body: submission.received },
    });
  });

  test("says where it is wrong, in Canton's words", () => {
    const templateId = "not-a-valid-template-id";
    expect(submit({ commands: [{ CreateCommand: { templateId, createArguments: {} } }] })).toEqual(
      refused(
        "body (Invalid identifier format (not-a-valid-template-id) not matching the expected format " +
          "(<package>:<moduleName>:<entityName>) at 'commands[0].CreateCommand.templateId')",
      ),
    );
  });

  test.each([
    ["no command id", { commandId: undefined }, "is missing at 'commandId'"],
    ["no actAs", { actAs: undefined }, "is missing at 'actAs'"],
    ["null actAs", { actAs: null }, "expected array, received null at 'actAs'"],
    ["a number among parties", { actAs: ["a", 5] }, "expected string, received number at 'actAs[1]'"],
    [
      "a command of no kind",
      { commands: [{}] },
      "expected one of CreateCommand, ExerciseCommand, CreateAndExerciseCommand, ExerciseByKeyCommand at 'commands[0]'",
    ],
    [
      "a command of an unknown kind",
      { commands: [{ FetchCommand: {} }] },
      "expected one of CreateCommand, ExerciseCommand, CreateAndExerciseCommand, ExerciseByKeyCommand at 'commands[0]'",
    ],
    [
      "a command without its choice",
      { commands: [{ ExerciseCommand: { ...exercise, choice: undefined } }] },
      "is missing at 'commands[0].ExerciseCommand.choice'",
    ],
    [
      "a deduplication period without its value",
      { deduplicationPeriod: { DeduplicationOffset: {} } },
      "is missing at 'deduplicationPeriod.DeduplicationOffset.value'",
    ],
  ])("with %s", (_, change, reason) => {
    expect(submit(change)).toEqual(refused(`body (${reason})`));
  });

  test("has no default for a shape, and takes no other", () => {
    const ask = (transactionShape?: string) => {
      const body = { commands: submission.sent, transactionFormat: { eventFormat: {}, transactionShape } };
      return parseLedgerBody(endpoints.submitAndWaitForTransaction, JSON.stringify(body));
    };
    expect(ask()).toEqual(refused("body (is missing at 'transactionFormat.transactionShape')"));
    expect(ask("TRANSACTION_SHAPE_UNSPECIFIED").ok).toBe(true);
    const other = ask("ACS_DELTA");
    expect(other.ok || other.refusal.cause).toMatch(/expected one of "TRANSACTION_SHAPE_ACS_DELTA"\|/);
  });

  test("that leaves everything out of a relaxed message gets protobuf's defaults", () => {
    expect(parseLedgerBody(endpoints.updatePartyDetails, "{}")).toEqual({
      ok: true,
      value: { partyDetails: null, updateMask: null },
    });
    expect(parseLedgerBody(endpoints.updatePartyDetails, '{"partyDetails":{},"updateMask":{}}')).toEqual({
      ok: true,
      value: {
        partyDetails: { party: "", isLocal: false, localMetadata: null, identityProviderId: "" },
        updateMask: { paths: [], unknownFields: { fields: {} } },
      },
    });
    expect(parseLedgerBody(endpoints.getEventsByContractId, '{"eventFormat":null}')).toEqual({
      ok: true,
      value: { contractId: "", eventFormat: null },
    });
  });

  test("takes null only where a message may be absent", () => {
    const party = (details: object) =>
      parseLedgerBody(endpoints.updatePartyDetails, JSON.stringify({ partyDetails: details }));
    expect(party({ localMetadata: null }).ok).toBe(true);
    expect(party({ party: null })).toEqual(
      refused("body (expected string, received null at 'partyDetails.party')"),
    );
  });

  test("takes a filter without its identifier, which the operation answers, but not a malformed one", () => {
    const ask = (value: object) => {
      const cumulative = [{ identifierFilter: { TemplateFilter: { value } } }];
      const eventFormat = { filtersForAnyParty: { cumulative } };
      return parseLedgerBody(endpoints.getEventsByContractId, JSON.stringify({ eventFormat }));
    };
    expect(ask({}).ok).toBe(true);
    expect(ask({ templateId: "#p:M:T" }).ok).toBe(true);
    expect(ask({ templateId: "a:b" }).ok).toBe(false);
    expect(ask({ templateId: "a:b:c:d" }).ok).toBe(false);
  });

  test.each(["", "{", "nul"])("that is not JSON is refused: %j", (body) => {
    const parsed = parseLedgerBody(endpoints.submitAndWait, body);
    expect(parsed.ok || parsed.refusal.cause).toMatch(/^Invalid value for: body \(.+\)$/);
  });

  test("nested too deep is refused before anybody recurses into it", () => {
    const create = (depth: number) => {
      const createArguments = JSON.parse("[".repeat(depth) + "]".repeat(depth));
      return submit({ commands: [{ CreateCommand: { templateId: "#p:M:T", createArguments } }] });
    };
    expect(create(400).ok).toBe(true);
    expect(create(401)).toEqual(
      refused("body (is nested deeper than 400 levels at 'commands[0].CreateCommand.createArguments')"),
    );
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const text = `{"commands":[{"CreateCommand":{"templateId":"#p:M:T","createArguments":${deep}}}],"commandId":"c","actAs":[]}`;
    expect(parseLedgerBody(endpoints.submitAndWait, text).ok).toBe(false);
  });
});
