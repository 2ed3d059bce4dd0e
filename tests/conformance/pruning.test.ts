/** ParticipantPruning and PREventsByContractIdPruned: what pruning refuses, and what reads find behind it. */
import { beforeAll, describe, expect, test } from "vitest";
import { adminClient } from "../participant/admin-client.ts";
import { createPreference, everythingOf, listActive, PREFERENCE } from "../participant/preferences.ts";
import { fresh } from "../support/fresh.ts";
import { expectFailure } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const USER = "someone";
const admin = () => adminClient(ledger.participant.url, null);

async function newParty(): Promise<string> {
  const { partyDetails } = await ledger.open.allocateParty({ body: { partyIdHint: fresh("pruned") } });
  return partyDetails.party;
}

async function create(party: string) {
  const commands = createPreference(party, { userId: USER });
  const { transaction } = await ledger.open.submitAndWaitForTransaction({ body: { commands } });
  const [event] = transaction.events;
  if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
  const { offset, updateId } = transaction;
  return { contractId: event.CreatedEvent.contractId, offset, updateId };
}

async function archive(party: string, contractId: string): Promise<number> {
  const exercise = { templateId: PREFERENCE, contractId, choice: "Archive", choiceArgument: {} };
  const body = {
    ...{ userId: USER, commandId: fresh("archive"), actAs: [party] },
    commands: [{ ExerciseCommand: exercise }],
  };
  return (await ledger.open.submitAndWait({ body })).completionOffset;
}

/** Up to what is the end now; behind it something else must have happened. */
async function pruneToEnd(party: string): Promise<number> {
  const { offset } = await ledger.open.getLedgerEnd();
  await create(party);
  expect((await admin().prune({ body: { offset } })).prunedUpToInclusive).toBe(offset);
  return offset;
}

describe("PRFailPrune", () => {
  test("ByNegativeOffset", async () => {
    const cause = "Offset -134134134 in prune_up_to is not a positive integer";
    await expectFailure(admin().prune({ body: { offset: -134_134_134 } }), "NON_POSITIVE_OFFSET", cause);
  });

  test("ByOutOfBoundsOffset", async () => {
    await newParty();
    const { offset } = await ledger.open.getLedgerEnd();
    const cause = "prune_up_to needs to be before ledger end";
    await expectFailure(admin().prune({ body: { offset } }), "OFFSET_OUT_OF_RANGE", cause);
  });
});

test("PREventsByContractIdPruned", async () => {
  const party = await newParty();
  const count = async (contractId: string) => {
    const body = { contractId, eventFormat: everythingOf(party) };
    const { created, archived } = await ledger.open.getEventsByContractId({ body });
    return [created, archived].filter((event) => event !== null).length;
  };
  const { contractId } = await create(party);
  const early = await pruneToEnd(party);
  expect(await count(contractId)).toBe(1);
  await archive(party, contractId);
  expect(await count(contractId)).toBe(2);
  await admin().prune({ body: { offset: early } });
  expect(await count(contractId)).toBe(2);
  await pruneToEnd(party);
  await expectFailure(
    count(contractId),
    "CONTRACT_EVENTS_NOT_FOUND",
    "Contract events not found, or not visible",
  );
});

describe("PRPrune", () => {
  const shapes = ["TRANSACTION_SHAPE_ACS_DELTA", "TRANSACTION_SHAPE_LEDGER_EFFECTS"] as const;
  let party = "";
  let made: readonly Awaited<ReturnType<typeof create>>[] = [];
  let pruned = 0;
  let activeBefore: unknown;
  const MIDDLE = 4;

  beforeAll(async () => {
    party = await newParty();
    const list: Awaited<ReturnType<typeof create>>[] = [];
    for (let i = 0; i < 10; i++) list.push(await create(party));
    made = list;
    activeBefore = await listActive(ledger.open, party);
    pruned = made[MIDDLE]?.offset ?? 0;
    await admin().prune({ body: { offset: pruned } });
  });

  const formatOf = (transactionShape: (typeof shapes)[number]) => ({
    includeTransactions: { eventFormat: everythingOf(party), transactionShape },
  });

  test.each(shapes)("Tx, %s", async (shape) => {
    const from = (beginExclusive: number) =>
      ledger.open.listUpdates({ body: { beginExclusive, updateFormat: formatOf(shape) } });
    const [first] = await from(pruned);
    expect(first).toMatchObject({ update: { Transaction: { value: { offset: made[MIDDLE + 1]?.offset } } } });
    for (const begin of [made[MIDDLE - 1]?.offset ?? 0, 0]) {
      const { context, errorCategory } = await expectFailure(
        from(begin),
        "PARTICIPANT_PRUNED_DATA_ACCESSED",
        `Request from ${begin} precedes pruned offset ${pruned}`,
      );
      expect([errorCategory, context["earliest_offset"]]).toEqual([9, String(pruned)]);
    }
  });

  test("Completions", async () => {
    const from = (beginExclusive: number) =>
      ledger.open.listCompletions({ body: { userId: USER, parties: [party], beginExclusive } });
    const [first] = await from(pruned);
    expect(first).toMatchObject({
      completionResponse: { Completion: { value: { offset: made[MIDDLE + 1]?.offset } } },
    });
    for (const begin of [made[MIDDLE - 1]?.offset ?? 0, 0]) {
      await expectFailure(from(begin), "PARTICIPANT_PRUNED_DATA_ACCESSED", `pruned offset ${pruned}`);
    }
  });

  test("ACS", async () => {
    const { offset: activeAtOffset } = await ledger.open.getLedgerEnd();
    const body = { activeAtOffset, eventFormat: everythingOf(party) };
    const now = await ledger.open.listActiveContracts({ body });
    const eventsOf = (list: unknown) => (list as typeof now).map(({ contractEntry }) => contractEntry);
    expect(eventsOf(now)).toEqual(eventsOf(activeBefore));
    expect(now).toHaveLength(10);
    const past = { ...body, activeAtOffset: pruned - 1 };
    await expectFailure(ledger.open.listActiveContracts({ body: past }), "PARTICIPANT_PRUNED_DATA_ACCESSED");
    expect(await ledger.open.listActiveContracts({ body: { ...body, activeAtOffset: pruned } })).toHaveLength(
      MIDDLE + 1,
    );
  });

  test.each(["ByTxId", "ByOffset"] as const)("%s", async (by) => {
    const look = ({ updateId, offset }: { updateId: string; offset: number }) => {
      const updateFormat = formatOf(shapes[0]);
      return by === "ByTxId"
        ? ledger.open.getUpdateById({ body: { updateId, updateFormat } })
        : ledger.open.getUpdateByOffset({ body: { offset, updateFormat } });
    };
    for (const [i, one] of made.entries()) {
      if (i <= MIDDLE) {
        await expectFailure(look(one), "UPDATE_NOT_FOUND", "Update not found, or not visible.");
      } else {
        expect(await look(one)).toMatchObject({ update: { Transaction: { value: { offset: one.offset } } } });
      }
    }
  });

  test("Repeated: the pruned offset never goes back, and goes on", async () => {
    await admin().prune({ body: { offset: made[1]?.offset ?? 0 } });
    const offsets = async () => (await ledger.open.getLatestPrunedOffsets()).participantPrunedUpToInclusive;
    expect(await offsets()).toBe(pruned);
    const further = made[MIDDLE + 2]?.offset ?? 0;
    await admin().prune({ body: { offset: further } });
    expect(await ledger.open.getLatestPrunedOffsets()).toEqual({
      participantPrunedUpToInclusive: further,
      allDivulgedContractsPrunedUpToInclusive: further,
    });
  });
});
