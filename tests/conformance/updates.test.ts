/** The update suites: transactions in each shape, in ranges, in either order, as flats and as trees. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Update, UpdateFormat } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { AMULET } from "../participant/coins.ts";
import type { LedgerClient } from "../support/participants.ts";
import {
  archive,
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
  templateFilter,
  transactionsOf,
  transientDummy,
} from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
let party: string;
beforeAll(async () => {
  party = await newParty(ledger);
});

type UpdatesBody = Parameters<LedgerClient["listUpdates"]>[0]["body"];

const list = (body: Omit<UpdatesBody, "updateFormat"> & { updateFormat?: unknown }) =>
  ledger.open.listUpdates({ query: { stream_idle_timeout_ms: 5n }, body: body as UpdatesBody });

function transactionsIn(updates: readonly Update[]) {
  return updates.flatMap(({ update }) => ("Transaction" in update ? [update.Transaction.value] : []));
}

async function since(begin: number, updateFormat: unknown) {
  const endInclusive = await endOf(ledger);
  return transactionsIn(await list({ beginExclusive: begin, endInclusive, updateFormat }));
}

describe("transactions", () => {
  test("TXServeStreamLedgerEffectsFromMiddlePoint: the updates of the range, and no more", async () => {
    await create(ledger, party);
    const begin = await endOf(ledger);
    const wanted = [await create(ledger, party), await create(ledger, party)];
    const middle = await endOf(ledger);
    await create(ledger, party);
    const updateFormat = transactionsOf([party]);
    const found = transactionsIn(await list({ beginExclusive: begin, endInclusive: middle, updateFormat }));
    expect(found.map((each) => createdIn(each).contractId)).toEqual(wanted.map((each) => each.contractId));
    for (const { events } of found) expect(events).toMatchObject([{ CreatedEvent: { acsDelta: true } }]);
    expect(await list({ beginExclusive: middle, endInclusive: middle, updateFormat })).toEqual([]);
  });

  test("TXServeStreamInDescendingOrder", async () => {
    const begin = await endOf(ledger);
    const created: string[] = [];
    for (let i = 0; i < 4; i++) created.push((await create(ledger, party)).contractId);
    const endInclusive = await endOf(ledger);
    const range = { beginExclusive: begin, endInclusive, updateFormat: transactionsOf([party]) };
    const found = transactionsIn(await list({ ...range, descendingOrder: true }));
    expect(found.map((each) => createdIn(each).contractId)).toEqual(created.toReversed());
  });

  test("TXStreamDummyFilterDummyIouDummy: nothing of a template that is outside the range", async () => {
    await create(ledger, party);
    const begin = await endOf(ledger);
    await submit(ledger, party, coinOf(party));
    const end = await endOf(ledger);
    await create(ledger, party);
    for (const descendingOrder of [true, false]) {
      const updateFormat = transactionsOf([party], "LEDGER_EFFECTS", templateFilter(DUMMY));
      const range = { beginExclusive: begin, endInclusive: end, updateFormat, descendingOrder };
      expect(await list(range)).toEqual([]);
    }
  });

  test("an ACS delta has creates and archives, ledger effects creates and exercises", async () => {
    const begin = await endOf(ledger);
    const { contractId } = await create(ledger, party);
    await submit(ledger, party, exerciseDummy(contractId, "RenewalPreference_Set"));
    const kinds = (found: Awaited<ReturnType<typeof since>>) =>
      found.map(({ events }) => events.flatMap((event) => Object.keys(event)));
    expect(kinds(await since(begin, transactionsOf([party], "ACS_DELTA")))).toEqual([
      ["CreatedEvent"],
      ["ArchivedEvent", "CreatedEvent"],
    ]);
    const effects = await since(begin, transactionsOf([party]));
    expect(kinds(effects)).toEqual([["CreatedEvent"], ["ExercisedEvent", "CreatedEvent"]]);
    const [exercise] = effects[1]?.events ?? [];
    expect(exercise).toMatchObject({
      ExercisedEvent: {
        contractId,
        choice: "RenewalPreference_Set",
        choiceArgument: { autoRenew: false },
        actingParties: [party],
        consuming: true,
        nodeId: 0,
        lastDescendantNodeId: 1,
        interfaceId: null,
        acsDelta: true,
      },
    });
  });

  test("a contract created and archived in one transaction is in its ledger effects, not in its ACS delta", async () => {
    const begin = await endOf(ledger);
    await submit(ledger, party, transientDummy(party));
    expect(await since(begin, transactionsOf([party], "ACS_DELTA"))).toEqual([]);
    const [transaction] = await since(begin, transactionsOf([party]));
    expect(transaction?.events).toMatchObject([
      { CreatedEvent: { acsDelta: false } },
      { ExercisedEvent: { acsDelta: false, consuming: true } },
    ]);
  });

  test("name the command to its submitter alone, and the workflow to all", async () => {
    const other = await newParty(ledger);
    const begin = await endOf(ledger);
    const commands = submissionOf(party, [createDummy(party, other)], { workflowId: "some-work" });
    await ledger.open.submitAndWait({ body: commands });
    const [own] = await since(begin, transactionsOf([party]));
    const [others] = await since(begin, transactionsOf([other]));
    expect(own).toMatchObject({ commandId: commands.commandId, workflowId: "some-work" });
    expect(others).toMatchObject({ commandId: "", workflowId: "some-work", offset: own?.offset });
  });
});

/** A coin of the party's own making: it is its own DSO. */
function coinOf(owner: string) {
  const amount = {
    initialAmount: "1.0",
    createdAt: { number: "0" },
    ratePerRound: { rate: "0.0" },
  };
  return { CreateCommand: { templateId: AMULET, createArguments: { dso: owner, owner, amount } } };
}

describe("topology", () => {
  test("a party that is hosted is told of, by its id too", async () => {
    const begin = await endOf(ledger);
    const hosted = await newParty(ledger);
    await newParty(ledger);
    const topology = (parties: string[]) => ({
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties } },
    });
    const endInclusive = await endOf(ledger);
    const own = await list({ beginExclusive: begin, endInclusive, updateFormat: topology([hosted]) });
    expect(own).toHaveLength(1);
    expect(await list({ beginExclusive: begin, endInclusive, updateFormat: topology([]) })).toHaveLength(2);
    const [first] = own;
    if (first === undefined || !("TopologyTransaction" in first.update)) throw new Error("no topology");
    const { updateId, offset, events } = first.update.TopologyTransaction.value;
    expect(events).toMatchObject([
      {
        event: {
          ParticipantAuthorizationAdded: {
            value: { partyId: hosted, participantId: ledger.participant.participantId },
          },
        },
      },
    ]);
    const updateFormat = topology([hosted]) as UpdateFormat;
    expect(await ledger.open.getUpdateById({ body: { updateId, updateFormat } })).toEqual(first);
    expect(await ledger.open.getUpdateByOffset({ body: { offset, updateFormat } })).toEqual(first);
    const others = { ...updateFormat, ...topology([party]) } as UpdateFormat;
    await expectFailure(
      ledger.open.getUpdateById({ body: { updateId, updateFormat: others } }),
      "UPDATE_NOT_FOUND",
    );
  });
});

describe("a range", () => {
  const format = () => ({ updateFormat: transactionsOf([party]) });
  test.each([
    [{ beginExclusive: -1 }, "NEGATIVE_OFFSET", ""],
    [{ beginExclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END", "Begin"],
    [{ beginExclusive: 0, endInclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END", "End"],
    [{ beginExclusive: 0, endInclusive: 0 }, "NON_POSITIVE_OFFSET", ""],
    [{ beginExclusive: 0, endInclusive: -5 }, "NON_POSITIVE_OFFSET", ""],
    [{ beginExclusive: 2, endInclusive: 1 }, "OFFSET_OUT_OF_RANGE", ""],
    [{ beginExclusive: 0, descendingOrder: true }, "DESCENDING_ORDER_MISSING_END", ""],
  ])("%j is refused", async (range, code, words) => {
    const failure = await expectFailure(list({ ...range, ...format() }), code, words);
    expect(failure.status).toBe(400);
    if (code === "OFFSET_AFTER_LEDGER_END") {
      expect(failure.cause.startsWith(words)).toBe(true);
      expect(failure.retryInfo).toBe("1 second");
    }
  });
});

describe("a format", () => {
  const older = () => ({ filter: formatFor([party]), verbose: true });
  test.each([
    ["both", () => ({ ...older(), updateFormat: transactionsOf([party]) })],
    ["verbose with the newer form", () => ({ verbose: true, updateFormat: transactionsOf([party]) })],
    ["neither", () => ({})],
  ])("of both kinds, or none, is refused: %s", async (_, formats) => {
    for (const path of ["/v2/updates", "/v2/updates/flats", "/v2/updates/trees"]) {
      const body = { beginExclusive: 0, ...formats() };
      const failure = failureIn(await call(`${ledger.participant.url}${path}`, { body }));
      expect([failure.status, failure.code]).toEqual([400, "INVALID_ARGUMENT"]);
    }
  });

  test("without a shape is refused where it is read, and with none that is meant, as missing", async () => {
    const eventFormat = formatFor([party]);
    const bodyOf = (includeTransactions: object) => ({
      beginExclusive: 0,
      updateFormat: { includeTransactions },
    });
    const url = `${ledger.participant.url}/v2/updates`;
    const absent = failureIn(await call(url, { body: bodyOf({ eventFormat }) }));
    expect([absent.status, absent.code]).toEqual([400, "INVALID_ARGUMENT"]);
    const other = failureIn(await call(url, { body: bodyOf({ eventFormat, transactionShape: "OTHER" }) }));
    expect([other.status, other.code]).toEqual([400, "INVALID_ARGUMENT"]);
    const transactionShape = "TRANSACTION_SHAPE_UNSPECIFIED";
    const unspecified = failureIn(await call(url, { body: bodyOf({ eventFormat, transactionShape }) }));
    expect([unspecified.status, unspecified.code]).toEqual([400, "MISSING_FIELD"]);
    expect(unspecified.context["field_name"]).toBe("transaction_shape");
  });
});

describe("the older lists", () => {
  test("flats are ACS deltas, trees are ledger effects by node", async () => {
    const begin = await endOf(ledger);
    const { contractId } = await create(ledger, party);
    const transaction = await archive(ledger, party, contractId);
    const endInclusive = await endOf(ledger);
    const body = { beginExclusive: begin, endInclusive, filter: formatFor([party]), verbose: true };
    const updateFormat = transactionsOf([party], "ACS_DELTA");
    const range = { beginExclusive: begin, endInclusive };
    expect(await ledger.open.listFlatUpdates({ body })).toEqual(await list({ ...range, updateFormat }));
    const trees = await ledger.open.listTransactionTrees({ body });
    expect(trees).toMatchObject([
      {
        update: {
          TransactionTree: {
            value: { eventsById: { "0": { CreatedTreeEvent: { value: { contractId } } } } },
          },
        },
      },
      {
        update: {
          TransactionTree: {
            value: {
              updateId: transaction.updateId,
              offset: transaction.offset,
              eventsById: {
                "0": {
                  ExercisedTreeEvent: { value: { contractId, choice: "RenewalPreference_Remove" } },
                },
              },
            },
          },
        },
      },
    ]);
  });

  test("tell how far they are when there is nothing", async () => {
    const begin = await endOf(ledger);
    const body = { beginExclusive: begin, filter: formatFor([party]) };
    const query = { stream_idle_timeout_ms: 5n };
    const checkpoint = [{ update: { OffsetCheckpoint: { value: { offset: begin } } } }];
    expect(await ledger.open.listFlatUpdates({ query, body })).toMatchObject(checkpoint);
    expect(await ledger.open.listTransactionTrees({ query, body })).toMatchObject(checkpoint);
  });
});
