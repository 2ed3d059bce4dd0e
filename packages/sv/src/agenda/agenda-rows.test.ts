import { AnsEntryContext, type ContractId, SubscriptionRequest, type Time } from "@callsign/ledger";
import { bytesOfHex, migrateDatabase, openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { KeyColumn } from "../kinds/agenda-kind.ts";
import { MAX_UNSAVED_ROWS } from "../limits/limits.ts";
import { AGENDA_MIGRATIONS } from "./agenda-migrations.ts";
import { AgendaRows } from "./agenda-rows.ts";

const TEMPLATES = [AnsEntryContext, SubscriptionRequest];
const COLUMNS: readonly KeyColumn[] = ["nameKey", "referenceKey", "coinKey", "ownerKey", "confirmationKey"];
const KEYS = [1n, 2n, 3n];
const key = fc.option(fc.constantFrom(...KEYS), { nil: null });
const insertion = fc.record({
  template: fc.constantFrom(...TEMPLATES),
  coinKey: key,
  columns: fc.record({
    ...{ nameKey: key, referenceKey: key, ownerKey: key, confirmationKey: key, due: key },
    pending: fc.boolean(),
  }),
});
const removal = fc.record({ removed: fc.nat(20) });
const change = fc.record({
  change: fc.oneof(insertion, removal),
  isSaved: fc.boolean(),
  isAsked: fc.boolean(),
});

function contractId(created: bigint): ContractId {
  return `00${created}` as ContractId;
}

function openTables() {
  const { database } = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(database, AGENDA_MIGRATIONS);
  return database;
}

/** Everything that can be asked for, as the rows have it. */
function everything(rows: AgendaRows, last: bigint) {
  const lists = TEMPLATES.flatMap((template) =>
    COLUMNS.flatMap((column) => KEYS.map((each) => rows.listBy(template, column, each, 1000))),
  );
  const places = Array.from({ length: Number(last) }, (_, i) => BigInt(i + 1));
  const found = places.map((place) => [rows.find(place), rows.findContract(contractId(place))]);
  const firsts = TEMPLATES.flatMap((template) => [1, 3, 1000].map((limit) => rows.list(template, limit)));
  const times = [0n, 1n, 2n, 3n, 4n];
  const next = times.map((now) => rows.findNextDue(now));
  const due = times.map((now) => rows.listDue({ due: -1n, created: 0n }, now, 1000));
  const dueAt = TEMPLATES.flatMap((template) => times.map((time) => rows.listDueAt(template, time, 1000)));
  const nextOf = TEMPLATES.flatMap((template) => times.map((now) => rows.findNextDueOf(template, now)));
  return { lists, firsts, found, next, due, dueAt, nextOf, pending: rows.listPending(0n, 1000) };
}

test("rows in memory and rows in the table answer as the table alone would, after any changes", () => {
  const property = fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
    const databases = [openTables(), openTables()] as const;
    const [rows, written] = databases.map((database) => new AgendaRows(database)) as [AgendaRows, AgendaRows];
    const ofTable = () => new AgendaRows(databases[1]);
    let last = 0n;
    for (const { change: each, isSaved, isAsked } of changes) {
      if (!("removed" in each)) last++;
      for (const changed of [rows, written]) {
        if ("removed" in each) changed.remove(contractId(BigInt(each.removed)));
        else {
          const contract = { contractId: contractId(last), createdAt: last as Time };
          changed.insert({ created: last, contract, ...each });
        }
      }
      written.save();
      if (isSaved) rows.save();
      expect(rows.findNextDue(0n)).toEqual(ofTable().findNextDue(0n));
      expect(rows.listBy(AnsEntryContext, "nameKey", 1n, 1000)).toEqual(
        ofTable().listBy(AnsEntryContext, "nameKey", 1n, 1000),
      );
      if (isAsked) expect(everything(rows, last)).toEqual(everything(ofTable(), last));
    }
    expect(everything(rows, last)).toEqual(everything(ofTable(), last));
    for (const changed of [rows, written]) changed.setDueAfterCreation(SubscriptionRequest, 1n);
    expect(everything(rows, last)).toEqual(everything(ofTable(), last));
    for (const database of databases) database.close();
  });
  fc.assert(property, { numRuns: 30 });
});

test("a row that is gone before it is saved is never written, and one of many is", () => {
  const database = openTables();
  const rows = new AgendaRows(database);
  const count = () => database.prepare("select count(*) as number from sv_agenda_row").get()?.["number"];
  const insert = (created: bigint) => {
    const contract = { contractId: contractId(created), createdAt: 1n as Time };
    rows.insert({ created, contract, template: AnsEntryContext, coinKey: null, columns: { nameKey: 1n } });
  };
  const changesBefore = database.prepare("select total_changes() as number").get()?.["number"];
  insert(1n);
  insert(2n);
  rows.remove(contractId(1n));
  expect(count()).toBe(0n);
  rows.save();
  expect(count()).toBe(1n);
  expect(database.prepare("select total_changes() as number").get()?.["number"]).toBe(
    (changesBefore as bigint) + 1n,
  );
  for (let created = 3n; created < BigInt(MAX_UNSAVED_ROWS) + 3n; created++) insert(created);
  expect(count()).toBe(BigInt(MAX_UNSAVED_ROWS) + 1n);
  database.close();
});

test("after a rollback the table alone counts", () => {
  const database = openTables();
  const rows = new AgendaRows(database);
  database.exec("begin");
  const columns = { nameKey: 1n, due: 2n };
  const contract = { contractId: "001" as ContractId, createdAt: 1n as Time };
  rows.insert({ created: 1n, contract, template: AnsEntryContext, coinKey: null, columns });
  expect(rows.listBy(AnsEntryContext, "nameKey", 1n, 10)).toHaveLength(1);
  expect(rows.findNextDue(0n)).toBe(2n);
  database.exec("rollback");
  rows.reload();
  expect(everything(rows, 1n)).toEqual(everything(new AgendaRows(database), 1n));
  expect(rows.find(1n)).toBeNull();
  database.close();
});

const ID = `00${"ab".repeat(68)}` as ContractId;

function insertRow(rows: AgendaRows): void {
  rows.insert({
    ...{ created: 1n, contract: { contractId: ID, createdAt: 1n as Time }, template: AnsEntryContext },
    ...{ coinKey: null, columns: { nameKey: 1n } },
  });
  rows.save();
}

test("the id of a contract is kept as bytes", () => {
  const database = openTables();
  insertRow(new AgendaRows(database));
  const row = database.prepare("select contract_id, id_bytes from sv_agenda_row").get();
  expect(row).toEqual({ contract_id: "", id_bytes: bytesOfHex(ID) });
  const rows = new AgendaRows(database);
  expect(rows.findContract(ID)?.contractId).toBe(ID);
  expect(rows.findContract(ID.toUpperCase() as ContractId)).toBeNull();
  expect(rows.findContract(ID.replace(/b$/, "c") as ContractId)).toBeNull();
});

test("rows of the release before, whose ids are texts, are found and removed", () => {
  const database = openTables();
  insertRow(new AgendaRows(database));
  database.prepare("update sv_agenda_row set contract_id = ?, id_bytes = null").run(ID);
  const rows = new AgendaRows(database);
  expect(rows.findContract(ID)).toMatchObject({ contractId: ID, created: 1n });
  expect(rows.listBy(AnsEntryContext, "nameKey", 1n, 10)).toMatchObject([{ contractId: ID }]);
  expect(rows.remove(ID)?.created).toBe(1n);
  expect(new AgendaRows(database).findContract(ID)).toBeNull();
});
