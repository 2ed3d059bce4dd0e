/** The command suites: what is answered, what is refused, what is shown again with the submission's end. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Commands } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import {
  create,
  createDummy,
  createdIn,
  DUMMY,
  endOf,
  exerciseDummy,
  formatFor,
  newParty,
  submissionOf,
  submit,
  transactionsOf,
  USER,
} from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
let party: string;
let other: string;
beforeAll(async () => {
  party = await newParty(ledger);
  other = await newParty(ledger);
});

const SUBMIT = "/v2/commands/submit-and-wait";
async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${ledger.participant.url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> };
}

describe("a submission", () => {
  test("is answered with its update and the offset of its end", async () => {
    const before = await endOf(ledger);
    const answer = await ledger.open.submitAndWait({ body: submissionOf(party, [createDummy(party)]) });
    expect(answer).toEqual({
      updateId: expect.stringMatching(/^1220[0-9a-f]{64}$/),
      completionOffset: before + 1,
    });
  });

  test("without a format is answered with the ACS delta of all acting and reading parties", async () => {
    const body = { commands: submissionOf(party, [createDummy(party, other)], { readAs: [other] }) };
    const { transaction } = await ledger.open.submitAndWaitForTransaction({ body });
    expect(createdIn(transaction).witnessParties).toEqual([party, other]);
    const { contractId } = createdIn(transaction);
    const { events } = await submit(ledger, party, exerciseDummy(contractId, "RenewalPreference_Set"));
    expect(events.flatMap((event) => Object.keys(event))).toEqual(["ArchivedEvent", "CreatedEvent"]);
  });

  test("with a format is answered in it", async () => {
    const { contractId } = await create(ledger, party);
    const transactionFormat = transactionsOf([party]).includeTransactions;
    const { events } = await submit(
      ledger,
      party,
      exerciseDummy(contractId, "RenewalPreference_Set"),
      transactionFormat,
    );
    expect(events.flatMap((event) => Object.keys(event))).toEqual(["ExercisedEvent", "CreatedEvent"]);
  });

  test("is answered with its tree, in the older form", async () => {
    const { contractId } = await create(ledger, party);
    const body = submissionOf(party, [exerciseDummy(contractId, "RenewalPreference_Set")]);
    const { transactionTree } = await ledger.open.submitAndWaitForTransactionTree({ body });
    const query = { parties: [party] };
    const params = { "update-id": transactionTree.updateId };
    const { transaction } = await ledger.open.getTransactionTreeById({ params, query });
    expect(transactionTree).toEqual(transaction);
    expect(Object.keys(transactionTree.eventsById)).toEqual(["0", "1"]);
    expect(transactionTree.commandId).toBe(body.commandId);
  });

  test("takes null for the argument of a choice that has none", async () => {
    const { contractId } = await create(ledger, party);
    const ExerciseCommand = { templateId: DUMMY, contractId, choice: "Archive", choiceArgument: null };
    const { events } = await submit(ledger, party, { ExerciseCommand });
    expect(events).toMatchObject([{ ArchivedEvent: { contractId } }]);
  });

  test("echoes its trace", async () => {
    const traceparent = `00-${"4b".repeat(16)}-${"0a".repeat(8)}-01`;
    const beginExclusive = await endOf(ledger);
    const commands = submissionOf(party, [createDummy(party)]);
    const answer = await post("/v2/commands/submit-and-wait-for-transaction", { commands }, { traceparent });
    const transaction = answer.json["transaction"] as { offset: number; traceContext: unknown };
    const traceContext = { traceparent, tracestate: null };
    expect(transaction.traceContext).toEqual(traceContext);
    const { offset } = transaction;
    const updateFormat = transactionsOf([party]);
    expect(await ledger.open.getUpdateByOffset({ body: { offset, updateFormat } })).toMatchObject({
      update: { Transaction: { value: { traceContext } } },
    });
    const query = { stream_idle_timeout_ms: 5n };
    const body = { userId: USER, parties: [party], beginExclusive };
    expect(await ledger.open.listCompletions({ query, body })).toMatchObject([
      { completionResponse: { Completion: { value: { traceContext } } } },
    ]);
  });
});

describe("a submission is refused for", () => {
  const withTemplate = (templateId: string) =>
    submissionOf(party, [{ CreateCommand: { templateId, createArguments: {} } }]);

  test("an unknown template", async () => {
    const [packageId] = (await create(ledger, party)).templateId.split(":");
    for (const templateId of [`${packageId}:Unknown:Template`, `${"ab".repeat(32)}:Unknown:Template`]) {
      const failure = failureIn(await post(SUBMIT, withTemplate(templateId)));
      expect([failure.status, failure.errorCategory]).toEqual([404, 11]);
    }
  });

  test("a package that is neither an id nor a name", async () => {
    const failure = failureIn(await post(SUBMIT, withTemplate("###X:Module:Entity")));
    expect([failure.status, failure.errorCategory]).toEqual([400, 8]);
  });

  test("a template without its three parts", async () => {
    const failure = failureIn(await post(SUBMIT, withTemplate("not-a-valid-template-id")));
    expect(failure.status).toBe(400);
    expect(failure.cause).toBe(
      "Invalid value for: body (Invalid identifier format (not-a-valid-template-id) not matching the expected " +
        "format (<package>:<moduleName>:<entityName>) at 'commands[0].CreateCommand.templateId')",
    );
  });

  test.each<[Partial<Commands>, string]>([
    [{ actAs: [] }, "MISSING_FIELD"],
    [{ commandId: "" }, "MISSING_FIELD"],
    [{ commands: [] }, "MISSING_FIELD"],
    [{ commandId: "ümlaut" }, "INVALID_FIELD"],
    [{ workflowId: "?" }, "INVALID_FIELD"],
    [{ submissionId: "x".repeat(256) }, "INVALID_FIELD"],
    [{ userId: "a b" }, "INVALID_FIELD"],
    [{ userId: "" }, "INVALID_TOKEN"],
    [{ actAs: ["not@party"] }, "INVALID_ARGUMENT"],
    [
      {
        minLedgerTimeAbs: "2026-01-01T00:00:00Z",
        minLedgerTimeRel: { seconds: 1, nanos: 0, unknownFields: { fields: {} } },
      },
      "INVALID_ARGUMENT",
    ],
  ])("%j", async (changed, code) => {
    const body = submissionOf(party, [createDummy(party)], changed);
    const failure = await expectFailure(ledger.open.submitAndWait({ body }), code);
    expect(failure.status).toBe(400);
    if ("actAs" in changed && code === "MISSING_FIELD") {
      expect(failure.context["field_name"]).toBe("act_as/actAs");
    }
  });

  test.each(["commands", "commandId", "actAs"])("a body without %s", async (field) => {
    const body: Record<string, unknown> = submissionOf(party, [createDummy(party)]);
    delete body[field];
    const failure = failureIn(await post(SUBMIT, body));
    expect(failure.status).toBe(400);
    expect(failure.cause).toContain("Invalid value for: body (");
    expect(failure.cause).toContain(field);
  });

  test("a command that was accepted before, and one whose contract is gone", async () => {
    const body = submissionOf(party, [createDummy(party)]);
    await ledger.open.submitAndWait({ body });
    const twice = await expectFailure(ledger.open.submitAndWait({ body }), "DUPLICATE_COMMAND");
    expect([twice.status, twice.errorCategory]).toEqual([409, 10]);
    expect(twice.context["existing_submission_id"]).toBeDefined();
    const { contractId } = await create(ledger, party);
    await submit(ledger, party, exerciseDummy(contractId, "RenewalPreference_Remove"));
    const again = submissionOf(party, [exerciseDummy(contractId, "RenewalPreference_Remove")]);
    const gone = await expectFailure(ledger.open.submitAndWait({ body: again }), "CONTRACT_NOT_FOUND");
    expect(gone.status).toBe(404);
  });

  test("a format that cannot be read, before anything is submitted", async () => {
    const before = await endOf(ledger);
    const commands = submissionOf(party, [createDummy(party)]);
    const transactionFormat = {
      eventFormat: formatFor([party]),
      transactionShape: "TRANSACTION_SHAPE_UNSPECIFIED" as const,
    };
    await expectFailure(
      ledger.open.submitAndWaitForTransaction({ body: { commands, transactionFormat } }),
      "MISSING_FIELD",
    );
    const url = `${ledger.participant.url}/v2/commands/submit-and-wait-for-transaction`;
    const noShape = { commands, transactionFormat: { eventFormat: formatFor([party]) } };
    expect(failureIn(await call(url, { body: noShape })).status).toBe(400);
    expect(await endOf(ledger)).toBe(before);
  });
});
