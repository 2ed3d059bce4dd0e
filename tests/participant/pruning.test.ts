/** Pruning as callers of the ledger API see it: before, after, and while it goes on. */
import { beforeAll, describe, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  type Actor,
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { type AdminClient, adminClient } from "./admin-client.ts";
import { refusalOf } from "./call.ts";
import { createPreference, everythingOf, listActive, PREFERENCE, setPreference } from "./preferences.ts";

const atEnd = atEndOfFile();
let sequencers: readonly string[];
let participant: TestParticipant;
let admin: AdminClient;
let alice: Actor;
const dataFolder = temporaryFolder(atEnd);
/** The last pruned offset. */
let pruned = 0;
/** The ids of contracts: archived before, archived after, and never. */
let ids: { readonly before: string; readonly after: string; readonly active: string };
let prunedUpdate = "";

async function create(): Promise<string> {
  const body = { commands: createPreference(alice.party) };
  const { transaction } = await alice.client.submitAndWaitForTransaction({ body });
  const [event] = transaction.events;
  if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
  return event.CreatedEvent.contractId;
}

function archiveOf(party: string, ...contractIds: readonly string[]) {
  return {
    commandId: `archive-${contractIds[0]}`,
    actAs: [party],
    commands: contractIds.map((contractId) => ({
      ExerciseCommand: { templateId: PREFERENCE, contractId, choice: "Archive", choiceArgument: {} },
    })),
  };
}

const eventsOf = (client: LedgerClient, contractId: string) =>
  client.getEventsByContractId({ body: { contractId, eventFormat: everythingOf(alice.party) } });

function updatesFrom(beginExclusive: number, more: object = {}) {
  const includeTransactions = {
    eventFormat: everythingOf(alice.party),
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
  };
  return alice.client.listUpdates({
    body: { beginExclusive, updateFormat: { includeTransactions }, ...more },
  });
}

beforeAll(async () => {
  sequencers = (await startSvNodes(1, atEnd)).sequencers;
  participant = await newParticipant(sequencers, { dataFolder }, atEnd);
  await ready(participant);
  admin = adminClient(participant.url);
  alice = await newActor(participant, "alice");
  const [before, after, active] = [await create(), await create(), await create()];
  ids = { before, after, active };
  const archived = await alice.client.submitAndWait({ body: archiveOf(alice.party, before) });
  pruned = archived.completionOffset;
  prunedUpdate = archived.updateId;
  await alice.client.submitAndWait({ body: archiveOf(alice.party, after) });
  expect(await participant.admin.getLatestPrunedOffsets()).toEqual({
    participantPrunedUpToInclusive: 0,
    allDivulgedContractsPrunedUpToInclusive: 0,
  });
  expect(await admin.prune({ body: { offset: pruned } })).toEqual({
    prunedUpToInclusive: pruned,
    isRunning: false,
  });
});

/** All of it holds for a participant that was opened again, too. */
describe.each(["at once", "after a restart"])("%s", (when) => {
  beforeAll(async () => {
    if (when === "at once") return;
    await participant.close();
    participant = await newParticipant(sequencers, { dataFolder }, atEnd);
    await ready(participant);
    admin = adminClient(participant.url);
    alice = { ...alice, client: participant.as("alice") };
  });

  test("the pruned offset is reported", async () => {
    expect(await participant.admin.getLatestPrunedOffsets()).toEqual({
      participantPrunedUpToInclusive: pruned,
      allDivulgedContractsPrunedUpToInclusive: pruned,
    });
    // A participant that starts looks for rows that a prune has left.
    await expect
      .poll(() => admin.getPruningStatus())
      .toEqual({
        prunedUpToInclusive: pruned,
        isRunning: false,
        schedule: null,
        lastRun: null,
        nextRunAt: null,
      });
  });

  test("events of a contract are there unless its archival is pruned", async () => {
    expect(await refusalOf(eventsOf(alice.client, ids.before))).toMatchObject({
      status: 404,
      code: "CONTRACT_EVENTS_NOT_FOUND",
    });
    expect((await eventsOf(alice.client, ids.after)).archived?.archivedEvent.contractId).toBe(ids.after);
    const { created, archived } = await eventsOf(alice.client, ids.active);
    expect([created?.createdEvent.contractId, archived]).toEqual([ids.active, null]);
  });

  test("updates are listed from the pruned offset on", async () => {
    const updates = await updatesFrom(pruned, { endInclusive: pruned + 1 });
    expect(updates).toMatchObject([{ update: { Transaction: { value: { offset: pruned + 1 } } } }]);
    for (const begin of [0, 1, pruned - 1]) {
      for (const more of [
        {},
        { endInclusive: pruned },
        { endInclusive: pruned + 1, descendingOrder: true },
      ]) {
        expect(await refusalOf(updatesFrom(begin, more))).toMatchObject({
          status: 400,
          code: "PARTICIPANT_PRUNED_DATA_ACCESSED",
          errorCategory: 9,
          context: { earliest_offset: String(pruned) },
        });
      }
    }
  });

  test("an empty range may lie before the pruned offset", async () => {
    expect(await updatesFrom(1, { endInclusive: 1 })).toEqual([]);
  });

  test("a pruned update is not found", async () => {
    const transactionFormat = {
      eventFormat: everythingOf(alice.party),
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" as const,
    };
    const updateFormat = { includeTransactions: transactionFormat };
    const byOffset = (offset: number) => alice.client.getUpdateByOffset({ body: { offset, updateFormat } });
    const byId = (updateId: string) => alice.client.getUpdateById({ body: { updateId, updateFormat } });
    const missing = { status: 404, code: "UPDATE_NOT_FOUND" };
    expect(await refusalOf(byOffset(pruned))).toMatchObject(missing);
    expect(await refusalOf(byId(prunedUpdate))).toMatchObject(missing);
    expect(await byOffset(pruned + 1)).toMatchObject({
      update: { Transaction: { value: { offset: pruned + 1 } } },
    });
  });

  test("completions are listed from the pruned offset on", async () => {
    const from = (beginExclusive: number) =>
      alice.client.listCompletions({ body: { userId: "alice", parties: [alice.party], beginExclusive } });
    const [first] = await from(pruned);
    expect(first).toMatchObject({ completionResponse: { Completion: { value: { offset: pruned + 1 } } } });
    expect((await refusalOf(from(pruned - 1))).code).toBe("PARTICIPANT_PRUNED_DATA_ACCESSED");
  });

  test("active contracts are listed as of the pruned offset and later ones", async () => {
    const at = (activeAtOffset: number) =>
      alice.client.listActiveContracts({ body: { activeAtOffset, eventFormat: everythingOf(alice.party) } });
    expect(await at(pruned)).toHaveLength(2);
    expect((await refusalOf(at(pruned - 1))).code).toBe("PARTICIPANT_PRUNED_DATA_ACCESSED");
  });

  test("an active contract from pruned history is found and exercised", async () => {
    const active = await listActive(alice.client, alice.party);
    const [first] = active;
    if (first === undefined || !("JsActiveContract" in first.contractEntry))
      throw new Error("none is active");
    const { contractId, offset } = first.contractEntry.JsActiveContract.createdEvent;
    if (when === "at once") expect([contractId, offset < pruned]).toEqual([ids.active, true]);
    await alice.client.submitAndWait({ body: setPreference(alice.party, contractId) });
    expect(await listActive(alice.client, alice.party)).toHaveLength(1);
    // State for the tests after the restart.
    if (when === "at once") ids = { ...ids, after: contractId, active: await createdBy(contractId) };
  });

  test("a command that was accepted before is known", async () => {
    const body = { ...archiveOf(alice.party, ids.before), commandId: `archive-${ids.before}` };
    expect(await refusalOf(alice.client.submitAndWait({ body }))).toMatchObject({
      code: "DUPLICATE_COMMAND",
    });
    const since = (value: number) => ({ deduplicationPeriod: { DeduplicationOffset: { value } } });
    const early = createPreference(alice.party, since(pruned - 1));
    expect(await refusalOf(alice.client.submitAndWait({ body: early }))).toMatchObject({
      status: 400,
      code: "INVALID_DEDUPLICATION_PERIOD",
      context: { earliest_offset: String(pruned) },
    });
    await alice.client
      .submitAndWait({ body: createPreference(alice.party, since(pruned)) })
      .then(async ({ completionOffset }) => {
        const [made] = await updatesFrom(completionOffset - 1, { endInclusive: completionOffset });
        if (made === undefined || !("Transaction" in made.update)) throw new Error("nothing was made");
        const [event] = made.update.Transaction.value.events;
        if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
        const { contractId } = event.CreatedEvent;
        await alice.client.submitAndWait({ body: archiveOf(alice.party, contractId) });
      });
  });
});

/** The contract that took the place of one that was changed. */
async function createdBy(changed: string): Promise<string> {
  const [only] = await listActive(alice.client, alice.party);
  if (only === undefined || !("JsActiveContract" in only.contractEntry)) throw new Error("none is active");
  const { contractId } = only.contractEntry.JsActiveContract.createdEvent;
  expect(contractId).not.toBe(changed);
  return contractId;
}

test("a prune up to an earlier offset changes nothing", async () => {
  expect((await admin.prune({ body: { offset: 1 } })).prunedUpToInclusive).toBe(pruned);
});

test.each([
  [-134, 400, "NON_POSITIVE_OFFSET", "Offset -134 in prune_up_to is not a positive integer"],
  [0, 400, "NON_POSITIVE_OFFSET", "Offset 0 in prune_up_to"],
  [1_000_000, 400, "OFFSET_OUT_OF_RANGE", "prune_up_to needs to be before ledger end"],
])("up to %i it cannot be pruned", async (offset, status, code, cause) => {
  const refused = await refusalOf(admin.prune({ body: { offset } }));
  expect(refused).toMatchObject({ status, code });
  expect(refused.cause).toContain(cause);
});

test("a prune up to the ledger's end is refused", async () => {
  const { offset } = await participant.admin.getLedgerEnd();
  expect(await refusalOf(admin.prune({ body: { offset } }))).toMatchObject({ code: "OFFSET_OUT_OF_RANGE" });
});

test("a second prune is refused while one runs, and other calls are served", async () => {
  const one = createPreference(alice.party);
  const many = { ...one, commands: Array.from({ length: 100 }, () => one.commands).flat() };
  const listFormat = { eventFormat: everythingOf(alice.party) };
  for (let i = 0; i < 2; i++) {
    await alice.client.submitAndWait({ body: { ...many, commandId: `many-${i}` } });
    const { offset: activeAtOffset } = await alice.client.getLedgerEnd();
    const active = await alice.client.listActiveContracts({ body: { activeAtOffset, ...listFormat } });
    const found = active.flatMap(({ contractEntry }) =>
      "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent.contractId] : [],
    );
    await alice.client.submitAndWait({ body: archiveOf(alice.party, ...found) });
  }
  const { completionOffset } = await alice.client.submitAndWait({ body: createPreference(alice.party) });
  const body = { offset: completionOffset - 1 };
  const attempts = Array.from({ length: 6 }, () => admin.prune({ body }));
  const [settled] = await Promise.all([Promise.allSettled(attempts), create()]);
  const served = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const refused = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  expect(served).toContainEqual({ prunedUpToInclusive: completionOffset - 1, isRunning: false });
  expect(refused.length).toBeGreaterThan(0);
  expect(await refusalOf(Promise.reject(refused[0]))).toMatchObject({
    status: 400,
    code: "PARTICIPANT_PRUNING_IN_PROGRESS",
  });
  expect(await listActive(alice.client, alice.party)).toHaveLength(2);
});
