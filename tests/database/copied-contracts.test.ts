// The validator's copy of contracts: a transaction creates and archives several, and the position moves with them.

import type { Transaction } from "@callsign/api";
import { AnsEntry, Subscription, ValidatorRight } from "@callsign/ledger";
import type { Store } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { KeptReads } from "../../packages/validator/src/store/kept-reads.ts";
import { CopyMoved } from "../../packages/validator/src/store/stored-position.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest, upTo } from "./stores.ts";

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

/** As a participant makes it: the contract once more. */
const blobOf = (number: number) =>
  Buffer.from(JSON.stringify(["callsign-create-1", idOf(number), "the contract"])).toString("base64");

/** Rights have none. */
function right(number: number, user: string): Event {
  return createdOf(number, ValidatorRight, { dso, user, validator: alice });
}

function createdOf(
  number: number,
  template: { module: string; entity: string },
  createArgument: object,
  createdEventBlob = blobOf(number),
) {
  const CreatedEvent = {
    ...{ contractId: idOf(number), templateId: templateOf(template), createArgument, createdEventBlob },
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

/** The version of stores without packed contracts. */
const BEFORE_PACKING = 14;

/** More than a dictionary is made of. */
const MANY = 80;
const at = { from: 0, offset: 1, recordTime: 1n, dso };

/** The numbers of a wallet's entries, if each is as it was created. */
async function readEntries(database: Store): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { contractId, ...contract } of new WalletStore(database).listAll(AnsEntry, alice)) {
    const number = Number.parseInt(contractId, 16);
    found.push(number);
    expect(contract).toMatchObject({
      ...{ templateId: templateOf(AnsEntry), owner: alice, blob: blobOf(number) },
      ...{ createdAt: 1_767_225_600_000_000n, payload: { user: alice, name: `name-${number}`, dso } },
    });
  }
  return found;
}

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("a value that is kept is read again after each change of its contracts, by this process or another", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const [store, other] = [new WalletStore(database), new WalletStore(database)];
    const kept = new KeptReads<number>({ limit: 10, changes: () => store.changesOf(AnsEntry) });
    const count = () => kept.get(alice, async () => (await store.list(AnsEntry, { owner: alice })).length);
    const apply = (copy: WalletStore, events: readonly Event[], from: number, offset: number) =>
      copy.apply([{ events: [...events] }], { from, offset, recordTime: 1n, dso });
    await apply(store, [entry(1)], 0, 1);
    expect(await count()).toBe(1);
    // A change of other contracts leaves it.
    await apply(store, [right(2, party("bob"))], 1, 2);
    expect(kept.find(alice)).toBe(1);
    await apply(store, [entry(3)], 2, 3);
    expect(await count()).toBe(2);
    await apply(store, [archivedOf(1)], 3, 4);
    expect(await count()).toBe(1);
    // Another process moves the copy on.
    await apply(other, [entry(5)], 4, 6);
    await expect(apply(store, [entry(5)], 4, 7)).rejects.toThrow(CopyMoved);
    await apply(store, [], 6, 7);
    expect(await count()).toBe(2);
    await store.restart([alice], dso);
    expect(await count()).toBe(0);
    await apply(store, [entry(6)], 0, 1);
    expect(await count()).toBe(1);
    await store.keepMigration(1);
    await store.keepMigration(2);
    expect(await count()).toBe(0);
  });

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

  test("contracts of names are kept in few bytes, and are read as they were created", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    await new WalletStore(database).apply([{ events: numbers(MANY).map((i) => entry(i)) }], at);
    expect(await readEntries(database)).toEqual(numbers(MANY));
    const rows = await database.all("select payload, blob, packed from contracts order by contract_id");
    const { packed, ...columns } = rows.at(-1) ?? {};
    expect(columns).toEqual({ payload: "", blob: "" });
    expect((packed as Uint8Array).length).toBeLessThan(60);
  });

  test("any blob comes back as it was", async (context) => {
    const wallet = new WalletStore(await new StorePlaceOfTest(kind, context).open(walletMigrations));
    const blobs = {
      empty: "",
      "no JSON": Buffer.from("a blob").toString("base64"),
      "no text": Buffer.from([0x5b, 0xff, 0x00]).toString("base64"),
      "another form of Base64": blobOf(1).replace(/=*$/, "===="),
      "no Base64": '["a blob"]',
      lines: Buffer.from("[1,\n2]\n").toString("base64"),
    };
    const payload = {
      user: alice,
      name: "n",
      url: "",
      description: "\n",
      dso,
      expiresAt: "2030-01-01T00:00:00Z",
    };
    const events = Object.values(blobs).map((blob, i) => createdOf(i, AnsEntry, payload, blob));
    await wallet.apply([{ events }], at);
    for (const [i, [what, blob]] of Object.entries(blobs).entries())
      expect([what, await wallet.find(AnsEntry, idOf(i))]).toMatchObject([what, { blob }]);
  });

  test("rows of an earlier release are read as they are, and go when their contracts are archived", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(walletMigrations, BEFORE_PACKING));
    const payload = { user: alice, name: "name-1", url: "", description: "", dso };
    await before.run(
      `insert into contracts (contract_id, template, template_id, owner, link, name, payload, blob, created_at, arrival, node)
       values ($1, $2, $3, $4, '', 'name-1', $5, $6, $7, 1, 1)`,
      ...[idOf(1), AnsEntry.entity, templateOf(AnsEntry), alice],
      ...[
        JSON.stringify({ ...payload, expiresAt: "2030-01-01T00:00:00Z" }),
        blobOf(1),
        "2026-01-01T00:00:00Z",
      ],
    );
    await before.close();
    const database = await place.open(walletMigrations);
    expect(await readEntries(database)).toEqual([1]);
    await new WalletStore(database).apply([{ events: [entry(2), archivedOf(1)] }], at);
    expect(await readEntries(database)).toEqual([2]);
  });

  test("a packed contract that has changed on disk is not read", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const store = new WalletStore(database);
    await store.apply([{ events: [entry(1), entry(2)] }], at);
    const row = await database.get("select packed from contracts where contract_id = $1", idOf(1));
    const damaged = Uint8Array.from(row?.["packed"] as Uint8Array);
    damaged[damaged.length - 3] = (damaged.at(-3) as number) ^ 0x10;
    const change = "update contracts set packed = $1 where contract_id = $2";
    await database.run(change, damaged, idOf(1));
    await expect(store.find(AnsEntry, idOf(1))).rejects.toThrow();
    expect(await store.find(AnsEntry, idOf(2))).toMatchObject({ blob: blobOf(2) });
  });

  test("contracts are readable after a rollback, and after a loss, took the dictionary away", async (context) => {
    const database = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const store = new WalletStore(database);
    const created = { events: numbers(MANY).map((i) => entry(i)) };
    await expect(store.apply([created, { events: [createdOf(99, AnsEntry, {})] }], at)).rejects.toThrow();
    expect(await readEntries(database)).toEqual([]);
    await store.apply([created], at);
    expect(await readEntries(database)).toEqual(numbers(MANY));
    for (const table of ["contracts", "deadlines", "text_dictionary"])
      await database.run(`delete from ${table}`);
    await store.apply([created], at);
    expect(await readEntries(database)).toEqual(numbers(MANY));
  });
});
