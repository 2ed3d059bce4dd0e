import type { DatabaseSync } from "node:sqlite";
import { Amulet, type Contract, type ContractId, type Time } from "@callsign/ledger";
import { inTransaction, migrateDatabase, openDatabase } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { ReplicaDamaged } from "./checked-rows.ts";
import { PACKED_CONTRACTS, PayloadTexts, SEPARATE_PAYLOADS } from "./payload-texts.ts";
import { contractAdder } from "./replica-rows.ts";
import { replicaMigrations } from "./replica-schema.ts";
import { SqliteState } from "./sqlite-state.ts";
import { TemplateNumbers } from "./template-numbers.ts";

const digits = (number: number) => number.toString(16).padStart(8, "0");

function contract(number: number): Contract {
  const contractId = `00${"ab".repeat(28)}${digits(number)}ca101220${digits(number).repeat(8)}` as ContractId;
  const payload = JSON.stringify([`alice::1220${"cd".repeat(32)}`, `${number}`, [["the", "same"], "words"]]);
  return { contractId, templateId: Amulet.id, payload, createdAt: BigInt(number) as Time };
}

const contracts = Array.from({ length: 100 }, (_, number) => contract(number));

function openMemory(): DatabaseSync {
  const database = openDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}

function addAll(database: DatabaseSync): void {
  const parts = { templates: new TemplateNumbers(database), texts: new PayloadTexts(database) };
  for (const each of contracts) contractAdder(database, parts)(each);
}

const readView = (database: DatabaseSync) =>
  database.prepare("select * from active_contract order by contract_id").all();

const asRows = () =>
  contracts.map(({ contractId, templateId, payload, createdAt }) => ({
    ...{ contract_id: contractId, name: templateId, payload, created_at: createdAt },
  }));

test("payloads come back as they were, by id and through the view, and most are packed", () => {
  const database = openMemory();
  new SqliteState(database);
  addAll(database);
  const state = new SqliteState(database);
  for (const each of contracts) expect(state.findContract(each.contractId)).toEqual(each);
  expect(readView(database)).toEqual(asRows());
  const rows = database
    .prepare("select text, length(packed) as size from contract_body order by number")
    .all();
  expect(rows.filter(({ text }) => text !== null)).toHaveLength(63);
  for (const { size } of rows.slice(63)) expect(size).toBeLessThan(60);
});

test.each([true, false])("payloads of earlier releases are read as they are, packed: %s", (isPacked) => {
  const database = openMemory();
  const { migrations } = replicaMigrations;
  const next = isPacked ? SEPARATE_PAYLOADS : PACKED_CONTRACTS;
  const former = migrations.slice(0, migrations.indexOf(next));
  migrateDatabase(database, { ...replicaMigrations, migrations: former });
  const number = new TemplateNumbers(database).number(Amulet.id);
  const texts = isPacked ? new PayloadTexts(database) : null;
  const insert = database.prepare(`insert into contract values (?, ?, ?, ?${isPacked ? ", ?" : ""})`);
  for (const each of contracts.toReversed()) {
    const { text, packed } = texts?.pack(each) ?? { text: each.payload, packed: null };
    const columns = [each.contractId, number, text ?? "", each.createdAt];
    insert.run(...columns, ...(isPacked ? [packed] : []));
  }
  const state = new SqliteState(database);
  for (const each of contracts) expect(state.findContract(each.contractId)).toEqual(each);
  expect(readView(database)).toEqual(asRows());
});

test.each([
  [
    "a packed payload",
    "update contract_body set packed = cast(substr(packed, 1, 8) || x'00' || substr(packed, 10) as blob)",
  ],
  ["a dictionary", "update contract_dictionary set body = 'another'"],
  ["a payload that is gone", "delete from contract_body where number = 100"],
  ["a dictionary that is gone", "delete from contract_dictionary"],
])("bytes that have changed are told as damage of the replica: %s", (_, statement) => {
  const database = openMemory();
  new SqliteState(database);
  addAll(database);
  database.exec(`${statement} ${statement.includes("packed =") ? "where packed is not null" : ""}`);
  const state = new SqliteState(database);
  expect(() => state.findContract(contract(99).contractId)).toThrow(ReplicaDamaged);
  expect(() => readView(database)).toThrow(ReplicaDamaged);
  expect(state.findContract(contract(0).contractId)).toEqual(contract(0));
});

test("after a rollback the dictionary is made anew", () => {
  const database = openMemory();
  const state = new SqliteState(database);
  const outcome = (some: readonly Contract[]) =>
    ({
      archived: [],
      created: some.map((each) => ({ contract: each })),
      changes: [],
      head: state.head,
    }) as never;
  const failing = () =>
    inTransaction(database, () => {
      state.absorb(outcome(contracts));
      state.save();
      throw new Error("the disk is full");
    });
  expect(failing).toThrow("the disk is full");
  state.reload();
  inTransaction(database, () => {
    state.absorb(outcome(contracts));
    state.save();
  });
  const again = new SqliteState(database);
  for (const each of contracts) expect(again.findContract(each.contractId)).toEqual(each);
  expect(readView(database)).toEqual(asRows());
});

test("the view is there after sorts went to disk", () => {
  const database = openMemory();
  const state = new SqliteState(database);
  addAll(database);
  state.sortOnDisk();
  expect(readView(database)).toEqual(asRows());
});
