/** Completions, as the submitting user reads them. */
import { beforeAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  type Actor,
  type LedgerClient,
  newActor,
  readyParticipant,
  type TestParticipant,
} from "../support/participants.ts";
import { refusalOf } from "./call.ts";
import { createPreference, setPreference } from "./preferences.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let alice: Actor;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  alice = await newActor(participant, "alice");
});

type Query = Parameters<LedgerClient["listCompletions"]>[0]["query"];

async function list(beginExclusive: number, query: Query = {}) {
  const body = { parties: [alice.party], beginExclusive };
  return (await alice.client.listCompletions({ query: query ?? {}, body })).map(
    ({ completionResponse }) => completionResponse,
  );
}

async function completionsBehind(begin: number) {
  return (await list(begin)).flatMap((each) => ("Completion" in each ? [each.Completion.value] : []));
}

test("an accepted submission's completion carries its update and the submitter's id", async () => {
  const { offset: begin } = await alice.client.getLedgerEnd();
  const commands = createPreference(alice.party, { submissionId: "my-own" });
  const { updateId, completionOffset } = await alice.client.submitAndWait({ body: commands });
  expect(await completionsBehind(begin)).toMatchObject([
    {
      commandId: commands.commandId,
      submissionId: "my-own",
      userId: "alice",
      actAs: [alice.party],
      updateId,
      offset: completionOffset,
      status: { code: 0 },
    },
  ]);
});

test("a rejected submission's completion carries the reason", async () => {
  const tryTwice = async () => {
    const { transaction } = await alice.client.submitAndWaitForTransaction({
      body: { commands: createPreference(alice.party) },
    });
    const [event] = transaction.events;
    if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
    const { contractId } = event.CreatedEvent;
    const { offset } = await alice.client.getLedgerEnd();
    const both = [1, 2].map(() =>
      alice.client.submitAndWait({ body: setPreference(alice.party, contractId) }),
    );
    await Promise.allSettled(both);
    const failed = (await completionsBehind(offset)).filter(({ status }) => status?.code !== 0);
    return { contractId, failed };
  };
  // Both are interpreted before either is sequenced, unless the first is very quick: then they are tried again.
  let { contractId, failed } = await tryTwice();
  while (failed.length === 0) ({ contractId, failed } = await tryTwice());
  for (const { status, updateId } of failed) {
    expect(updateId).toBe("");
    expect(status).toMatchObject({ code: 5 });
    expect(status?.message).toContain("LOCAL_VERDICT_INACTIVE_CONTRACTS(11,");
    expect(status?.message).toContain(contractId);
  }
});

test("a reader that is up to date waits for the next completion, and gets a checkpoint", async () => {
  const { offset: begin } = await alice.client.getLedgerEnd();
  expect(await list(begin, { stream_idle_timeout_ms: 1n })).toMatchObject([
    { OffsetCheckpoint: { value: { offset: begin } } },
  ]);
  const waiting = list(begin, { stream_idle_timeout_ms: 20_000n, limit: 1n });
  const { completionOffset } = await alice.client.submitAndWait({ body: createPreference(alice.party) });
  expect(await waiting).toMatchObject([{ Completion: { value: { offset: completionOffset } } }]);
});

test.each([
  [{ parties: [] }, "MISSING_FIELD"],
  [{ beginExclusive: -1 }, "NEGATIVE_OFFSET"],
  [{ beginExclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
])("a request with %j is refused", async (changed, code) => {
  const body = { parties: [alice.party], ...changed };
  expect(await refusalOf(alice.client.listCompletions({ body }))).toMatchObject({ status: 400, code });
});
