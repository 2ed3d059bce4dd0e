/** Submissions that are answered while they are under way, and what their completions say of them. */
import { beforeAll, expect, test } from "vitest";
import type { CompletionItem } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  type Actor,
  type LedgerClient,
  newActor,
  readyParticipant,
  type TestParticipant,
  tokenFor,
} from "../support/participants.ts";
import { call, errorOf, refusalOf } from "./call.ts";
import { createPreference, listActive, setPreference } from "./preferences.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const WEEK = { seconds: 7 * 24 * 3600, nanos: 0, unknownFields: { fields: {} } };

const atEnd = atEndOfFile();
let participant: TestParticipant;
let alice: Actor;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  alice = await newActor(participant, "alice");
});

async function completionOf(client: LedgerClient, commandId: string, beginExclusive: number) {
  let begin = beginExclusive;
  for (let attempt = 0; attempt < 50; attempt++) {
    const items: readonly CompletionItem[] = await client.listCompletions({
      query: { limit: 100n, stream_idle_timeout_ms: 1000n },
      body: { parties: [alice.party], beginExclusive: begin },
    });
    for (const { completionResponse } of items) {
      if ("Completion" in completionResponse) {
        const { value } = completionResponse.Completion;
        if (value.commandId === commandId) return value;
        begin = value.offset;
      }
    }
  }
  throw new Error(`no completion of ${commandId} came`);
}

test("an asynchronous submission is answered with an empty body, and ends with a completion", async () => {
  const { client } = alice;
  const { offset } = await client.getLedgerEnd();
  const commands = createPreference(alice.party);
  expect(await client.submitAsync({ body: commands })).toEqual({});
  const completion = await completionOf(client, commands.commandId, offset);
  expect(completion).toMatchObject({
    status: { code: 0, message: "" },
    userId: "alice",
    actAs: [alice.party],
    deduplicationPeriod: { DeduplicationDuration: { value: WEEK } },
    traceContext: null,
  });
  expect(completion.updateId).toMatch(/^1220[0-9a-f]{64}$/);
  expect(completion.offset).toBeGreaterThan(offset);
});

test("an invalid asynchronous submission is refused at once, without a completion", async () => {
  const before = await alice.client.getLedgerEnd();
  const refused = await refusalOf(
    alice.client.submitAsync({
      body: setPreference(alice.party, `00${"12".repeat(32)}ca101220${"34".repeat(32)}`),
    }),
  );
  expect([refused.status, refused.code]).toEqual([404, "CONTRACT_NOT_FOUND"]);
  expect(await alice.client.getLedgerEnd()).toEqual(before);
});

test("the same command again is a duplicate, even while the first is in flight", async () => {
  const { client } = alice;
  const commands = createPreference(alice.party);
  const answers = await Promise.allSettled([
    client.submitAsync({ body: commands }),
    client.submitAsync({ body: commands }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect
    .poll(async () => (await refusalOf(client.submitAsync({ body: commands }))).code)
    .toBe("DUPLICATE_COMMAND");
});

test("of twenty that use the same contract at once, one succeeds and all complete", async () => {
  const { client } = alice;
  await client.submitAndWait({ body: createPreference(alice.party) });
  const active = await listActive(client, alice.party);
  const [entry] = active.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent.contractId] : [],
  );
  const { offset } = await client.getLedgerEnd();
  const given = Array.from({ length: 20 }, () => setPreference(alice.party, entry ?? ""));
  const answers = await Promise.allSettled(given.map((body) => client.submitAsync({ body })));
  const taken = given.filter((_, i) => answers[i]?.status === "fulfilled");
  const codes: number[] = [];
  for (const { commandId } of taken) {
    codes.push((await completionOf(client, commandId, offset)).status?.code ?? -1);
  }
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
});

test("a submission's trace and deduplication period come back with its completion", async () => {
  const period = {
    DeduplicationDuration: { value: { seconds: 60, nanos: 0, unknownFields: { fields: {} } } },
  };
  const body = createPreference(alice.party, { deduplicationPeriod: period });
  const { offset } = await alice.client.getLedgerEnd();
  const answer = await fetch(`${participant.url}/v2/commands/submit-and-wait-for-transaction`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await tokenFor("alice")}`,
      traceparent: TRACEPARENT,
      tracestate: "vendor=value",
    },
    body: JSON.stringify({ commands: body }),
  });
  const traceContext = { traceparent: TRACEPARENT, tracestate: "vendor=value" };
  expect(await answer.json()).toMatchObject({ transaction: { traceContext } });
  expect(await completionOf(alice.client, body.commandId, offset)).toMatchObject({
    deduplicationPeriod: period,
    traceContext,
  });
});

test("an invalid trace header is ignored", async () => {
  const answer = await fetch(`${participant.url}/v2/commands/submit-and-wait-for-transaction`, {
    method: "POST",
    headers: { authorization: `Bearer ${await tokenFor("alice")}`, traceparent: "00-short-01" },
    body: JSON.stringify({ commands: createPreference(alice.party) }),
  });
  expect(await answer.json()).toMatchObject({ transaction: { traceContext: null } });
});

test("a reassignment to another synchronizer is refused with the id of that synchronizer", async () => {
  const url = `${participant.url}/v2/commands/async/submit-reassignment`;
  const { connectedSynchronizers = [] } = await alice.client.listConnectedSynchronizers();
  const source = connectedSynchronizers[0]?.synchronizerId ?? "";
  const move = (value: object, more: object = {}) => ({
    reassignmentCommands: {
      commandId: "move",
      submitter: alice.party,
      commands: [{ command: { AssignCommand: { value } } }],
      ...more,
    },
  });
  const ask = async (body: unknown) => errorOf(await call(url, { user: "alice", body }));
  const target = "other::1220aa";
  const refused = await ask(move({ reassignmentId: "r", source, target }));
  expect([refused.status, refused.code, refused.resources]).toEqual([
    400,
    "NOT_CONNECTED_TO_SYNCHRONIZER",
    [["SYNCHRONIZER_ID", target]],
  ]);
  for (const [body, code, cause] of [
    [{}, "MISSING_FIELD", "reassignment_commands"],
    [move({ reassignmentId: "r", source, target }, { commandId: "" }), "MISSING_FIELD", "command_id"],
    [move({ reassignmentId: "r", source, target }, { submitter: "" }), "MISSING_FIELD", "submitter"],
    [move({ reassignmentId: "r", source, target }, { commands: [] }), "MISSING_FIELD", "commands"],
    [move({ reassignmentId: "r", source, target }, { commands: [{}] }), "MISSING_FIELD", "command"],
    [move({ reassignmentId: "", source, target }), "MISSING_FIELD", "reassignment_id"],
    [move({ reassignmentId: "r", source: "", target }), "MISSING_FIELD", "source"],
    [move({ reassignmentId: "r", source, target: source }), "INVALID_ARGUMENT", "must differ"],
    [move({ reassignmentId: "r", source, target }, { workflowId: "\u00e9" }), "INVALID_FIELD", "workflow_id"],
  ] as const) {
    const error = await ask(body);
    expect([error.status, error.code, error.cause]).toEqual([400, code, expect.stringContaining(cause)]);
  }
});
