/** One update by its id or its offset, in each form that clients ask for. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Transaction } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { AMULET } from "../participant/coins.ts";
import {
  createDummy,
  createdIn,
  endOf,
  exerciseDummy,
  formatFor,
  newParty,
  submit,
  templateFilter,
  transactionsOf,
} from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const UNKNOWN = `1220${"ab".repeat(32)}`;
let party: string;
let other: string;
let flat: Transaction;
let effects: Transaction;
beforeAll(async () => {
  party = await newParty(ledger);
  other = await newParty(ledger);
  const { contractId } = createdIn(await submit(ledger, party, createDummy(party)));
  flat = await submit(ledger, party, exerciseDummy(contractId, "RenewalPreference_Set"));
  const { update } = await ledger.open.getUpdateById({
    body: { updateId: flat.updateId, updateFormat: transactionsOf([party]) },
  });
  if (!("Transaction" in update)) throw new Error("no transaction");
  effects = update.Transaction.value;
});

test("by id and by offset they are the same, in the shape that was asked for", async () => {
  const { updateId, offset } = flat;
  expect(effects.events.flatMap((event) => Object.keys(event))).toEqual(["ExercisedEvent", "CreatedEvent"]);
  for (const [shape, wanted] of [
    ["ACS_DELTA", flat],
    ["LEDGER_EFFECTS", effects],
  ] as const) {
    const updateFormat = transactionsOf([party], shape);
    const update = { update: { Transaction: { value: wanted } } };
    expect(await ledger.open.getUpdateById({ body: { updateId, updateFormat } })).toEqual(update);
    expect(await ledger.open.getUpdateByOffset({ body: { offset, updateFormat } })).toEqual(update);
    const transactionFormat = updateFormat.includeTransactions;
    const transaction = { transaction: wanted };
    expect(await ledger.open.getTransactionById({ body: { updateId, transactionFormat } })).toEqual(
      transaction,
    );
    expect(await ledger.open.getTransactionByOffset({ body: { offset, transactionFormat } })).toEqual(
      transaction,
    );
  }
});

test("for requesting parties a transaction is an ACS delta, and a tree has its events by node", async () => {
  const { updateId, offset } = flat;
  const requestingParties = [party];
  const transaction = { transaction: flat };
  expect(await ledger.open.getTransactionById({ body: { updateId, requestingParties } })).toEqual(
    transaction,
  );
  expect(await ledger.open.getTransactionByOffset({ body: { offset, requestingParties } })).toEqual(
    transaction,
  );
  const query = { parties: [party, other] };
  const byId = await ledger.open.getTransactionTreeById({ params: { "update-id": updateId }, query });
  const byOffset = await ledger.open.getTransactionTreeByOffset({ params: { offset: `${offset}` }, query });
  expect(byOffset).toEqual(byId);
  const [exercise, created] = effects.events;
  if (exercise === undefined || !("ExercisedEvent" in exercise)) throw new Error("no exercise");
  if (created === undefined || !("CreatedEvent" in created)) throw new Error("no create");
  expect(byId.transaction).toMatchObject({ updateId, offset, commandId: flat.commandId });
  expect(byId.transaction.eventsById).toEqual({
    "0": { ExercisedTreeEvent: { value: exercise.ExercisedEvent } },
    "1": { CreatedTreeEvent: { value: created.CreatedEvent } },
  });
});

describe("a missing update", () => {
  test("or of which the reader sees nothing, is not found", async () => {
    const { updateId } = flat;
    const beyond = (await endOf(ledger)) + 1;
    const updateFormat = transactionsOf([party]);
    const notFound = async (promise: Promise<unknown>, resource: [string, string]) => {
      const failure = await expectFailure(promise, "UPDATE_NOT_FOUND");
      expect([failure.status, failure.resources]).toEqual([404, [resource]]);
    };
    await notFound(ledger.open.getUpdateById({ body: { updateId: UNKNOWN, updateFormat } }), [
      "UPDATE_ID",
      UNKNOWN,
    ]);
    await notFound(ledger.open.getUpdateByOffset({ body: { offset: beyond, updateFormat } }), [
      "OFFSET",
      `${beyond}`,
    ]);
    for (const format of [
      transactionsOf([other]),
      transactionsOf([party], "ACS_DELTA", templateFilter(AMULET)),
      { includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } } },
    ]) {
      await notFound(ledger.open.getUpdateById({ body: { updateId, updateFormat: format } }), [
        "UPDATE_ID",
        updateId,
      ]);
    }
    const query = { parties: [other] };
    await notFound(ledger.open.getTransactionTreeById({ params: { "update-id": updateId }, query }), [
      "UPDATE_ID",
      updateId,
    ]);
    const body = { updateId, requestingParties: [other] };
    await notFound(ledger.open.getTransactionById({ body }), ["UPDATE_ID", updateId]);
  });
});

describe("a lookup is refused for", () => {
  const post = async (path: string, body: unknown) =>
    failureIn(await call(`${ledger.participant.url}/v2/updates/${path}`, { body }));
  const get = async (path: string) =>
    failureIn(await call(`${ledger.participant.url}/v2/updates/${path}`, { method: "GET" }));

  test.each([
    "abc",
    UNKNOWN.toUpperCase(),
    `1220${"ab".repeat(31)}`,
    `${UNKNOWN}00`,
    `1220${"zz".repeat(32)}`,
  ])("the update id %s", async (updateId) => {
    const updateFormat = transactionsOf([party]);
    for (const failure of [
      await post("update-by-id", { updateId, updateFormat }),
      await post("transaction-by-id", { updateId, requestingParties: [party] }),
      await get(`transaction-tree-by-id/${updateId}?parties=${encodeURIComponent(party)}`),
    ]) {
      expect([failure.status, failure.code]).toEqual([400, "INVALID_ARGUMENT"]);
    }
  });

  test.each([0, -1])("the offset %d", async (offset) => {
    const updateFormat = transactionsOf([party]);
    for (const failure of [
      await post("update-by-offset", { offset, updateFormat }),
      await post("transaction-by-offset", { offset, requestingParties: [party] }),
      await get(`transaction-tree-by-offset/${offset}?parties=${encodeURIComponent(party)}`),
    ]) {
      expect([failure.status, failure.code]).toEqual([400, "NON_POSITIVE_OFFSET"]);
    }
  });

  test("an offset that is none", async () => {
    const failure = await get(`transaction-tree-by-offset/x?parties=${encodeURIComponent(party)}`);
    expect([failure.status, failure.code]).toEqual([400, "INVALID_ARGUMENT"]);
  });

  test("no id, no format, both formats, no parties", async () => {
    const updateFormat = transactionsOf([party]);
    const { includeTransactions: transactionFormat } = updateFormat;
    const codes = async (...failures: Promise<{ readonly code: string }>[]) =>
      (await Promise.all(failures)).map(({ code }) => code);
    expect(
      await codes(
        post("update-by-id", { updateFormat }),
        post("update-by-id", { updateId: UNKNOWN }),
        post("update-by-offset", { offset: 1 }),
        get("transaction-tree-by-offset/1"),
      ),
    ).toEqual(["MISSING_FIELD", "MISSING_FIELD", "MISSING_FIELD", "MISSING_FIELD"]);
    const requestingParties = [party];
    expect(
      await codes(
        post("transaction-by-id", { updateId: UNKNOWN }),
        post("transaction-by-id", { updateId: UNKNOWN, requestingParties, transactionFormat }),
        post("transaction-by-offset", { offset: 1, requestingParties: ["not@party"] }),
        post("update-by-id", {
          updateId: UNKNOWN,
          updateFormat: {
            includeTransactions: { ...transactionFormat, eventFormat: formatFor(["not@party"]) },
          },
        }),
      ),
    ).toEqual(["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"]);
  });
});
