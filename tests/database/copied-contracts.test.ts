// The validator's copy of contracts: a transaction creates and archives several, and the position moves with them.

import type { Transaction } from "@callsign/api";
import { AnsEntry, Subscription, ValidatorRight } from "@callsign/ledger";
import type { Store } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { CopyMoved, WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest } from "./stores.ts";

type Event = Transaction["events"][number];

const party = (name: string) => `${name}::1220${"b".repeat(64)}`;
const [dso, alice] = [party("dso"), party("alice")];

const idOf = (number: number) => `00${number.toString(16).padStart(136, "0")}`;
const templateOf = ({ module, entity }: { readonly module: string; readonly entity: string }) =>
  `#p:${module}:${entity}`;

/** Entries have a deadline. */
function entry(number: number, owner = alice): Event {
  const createArgument = {
    ...{ user: owner, name: `name-${number}`, url: "", description: "", dso },
    expiresAt: "2030-01-01T00:00:00Z",
  };
  return createdOf(number, AnsEntry, createArgument);
}

/** Rights have none. */
function right(number: number, user: string): Event {
  return createdOf(number, ValidatorRight, { dso, user, validator: alice });
}

function createdOf(number: number, template: { module: string; entity: string }, createArgument: object) {
  const CreatedEvent = {
    ...{ contractId: idOf(number), templateId: templateOf(template), createArgument, createdEventBlob: "" },
    ...{ createdAt: "2026-01-01T00:00:00Z", offset: 1, nodeId: number },
  };
  return { CreatedEvent } as unknown as Event;
}

function archivedOf(number: number, template: { module: string; entity: string } = AnsEntry): Event {
  return {
    ArchivedEvent: { contractId: idOf(number), templateId: templateOf(template) },
  } as unknown as Event;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

async function stateOf(store: Store) {
  const ids = async (table: string) =>
    (await store.all(`select contract_id from ${table} order by contract_id`)).map((row) =>
      Number.parseInt(String(row["contract_id"]), 16),
    );
  const position = await store.get("select ledger_offset, record_time from position where id = 1");
  return { contracts: await ids("contracts"), deadlines: await ids("deadlines"), position };
}

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("a transaction's contracts come and go together, and its effects are told", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const store = new WalletStore(database);
    const created = [...numbers(40).map((i) => entry(i)), right(40, party("bob")), right(41, party("carol"))];
    const place = { from: 0, offset: 1, recordTime: 5n, dso };
    const first = await store.apply([{ events: created }], place);
    expect([...first.touched].sort()).toEqual(["AnsEntry", "ValidatorRight"]);
    expect([...first.owners].sort()).toEqual([alice, party("bob"), party("carol")]);
    const after = await stateOf(database);
    expect(after).toEqual({
      ...{ contracts: numbers(42), deadlines: numbers(40) },
      position: { ledger_offset: 1n, record_time: 5n },
    });
    // An interrupted call that was kept is repeated.
    await store.apply([{ events: created }], place);
    expect(await stateOf(database)).toEqual(after);
    // Contracts of another DSO, of other templates, and of one transaction leave no row.
    const events = [
      ...numbers(35).map((i) => archivedOf(i)),
      archivedOf(41, ValidatorRight),
      ...[entry(50, party("dave")), archivedOf(50), archivedOf(60, Subscription), entry(51)],
    ];
    const second = await store.apply([{ events }, { events: [archivedOf(51)] }], {
      ...place,
      ...{ from: 1, offset: 3 },
    });
    expect([...second.touched].sort()).toEqual(["AnsEntry", "Subscription", "ValidatorRight"]);
    expect([...second.owners].sort()).toEqual([alice, party("carol"), party("dave")]);
    expect(await stateOf(database)).toEqual({
      ...{ contracts: [35, 36, 37, 38, 39, 40], deadlines: [35, 36, 37, 38, 39] },
      position: { ledger_offset: 3n, record_time: 5n },
    });
  });

  test("a step from another place than the copy's changes nothing", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const store = new WalletStore(database);
    const step = (number: number, from: number, offset: number) =>
      store.apply([{ events: [entry(number)] }], { from, offset, recordTime: 1n, dso });
    await expect(step(1, 3, 4)).rejects.toThrow(CopyMoved);
    expect(await stateOf(database)).toEqual({ contracts: [], deadlines: [], position: undefined });
    await step(2, 0, 2);
    const before = await stateOf(database);
    for (const [from, offset] of [
      [0, 1],
      [1, 3],
      [3, 4],
    ] as const)
      await expect(step(3, from, offset)).rejects.toThrow(new CopyMoved(2).message);
    expect(await stateOf(database)).toEqual(before);
    await step(3, 2, 3);
    expect(await store.position()).toEqual({ offset: 3, recordTime: 1n });
  });
});
