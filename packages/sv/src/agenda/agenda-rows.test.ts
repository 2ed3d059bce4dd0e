import { AnsEntryContext, type ContractId, SubscriptionRequest, type Time } from "@callsign/ledger";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { KeyColumn } from "../kinds/agenda-kind.ts";
import { AGENDA_MIGRATIONS } from "./agenda-migrations.ts";
import { AgendaRows } from "./agenda-rows.ts";

const TEMPLATES = [AnsEntryContext, SubscriptionRequest];
const COLUMNS: readonly KeyColumn[] = ["nameKey", "referenceKey", "coinKey", "ownerKey", "confirmationKey"];
const KEYS = [1n, 2n, 3n];
const key = fc.option(fc.constantFrom(...KEYS), { nil: null });
const insertion = fc.record({
  template: fc.constantFrom(...TEMPLATES),
  coinKey: key,
  columns: fc.record({ nameKey: key, referenceKey: key, ownerKey: key, confirmationKey: key, due: key }),
});
const removal = fc.record({ removed: fc.nat(20) });
const change = fc.oneof(insertion, removal);

/** Everything that can be asked for, as the rows have it. */
function everything(rows: AgendaRows, last: bigint) {
  const lists = TEMPLATES.flatMap((template) =>
    COLUMNS.flatMap((column) => KEYS.map((each) => rows.listBy(template, column, each, 1000))),
  );
  const found = Array.from({ length: Number(last) }, (_, i) => rows.find(BigInt(i + 1)));
  const times = [0n, 1n, 2n, 3n, 4n];
  const due = times.map((now) => rows.listDue({ due: -1n, created: 0n }, now, 1000));
  const firsts = TEMPLATES.flatMap((template) => [1, 3, 1000].map((limit) => rows.list(template, limit)));
  return { lists, firsts, found, due, next: times.map((now) => rows.findNextDue(now)) };
}

test("what stays in memory is what the table has, after any changes", () => {
  const contractId = (created: bigint) => `00${created}` as ContractId;
  const property = fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
    const { database } = new SqliteState(openDatabase(":memory:"));
    migrateDatabase(database, AGENDA_MIGRATIONS);
    const rows = new AgendaRows(database);
    let last = 0n;
    for (const each of changes) {
      if ("removed" in each) rows.remove(contractId(BigInt(each.removed)));
      else {
        last++;
        const contract = { contractId: contractId(last), createdAt: last as Time };
        rows.insert({ created: last, contract, ...each });
      }
      expect(everything(rows, last)).toEqual(everything(new AgendaRows(database), last));
    }
    rows.setDueAfterCreation(SubscriptionRequest, 1n);
    expect(everything(rows, last)).toEqual(everything(new AgendaRows(database), last));
    database.close();
  });
  fc.assert(property, { numRuns: 30 });
});

test("after a rollback the table alone counts", () => {
  const { database } = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(database, AGENDA_MIGRATIONS);
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
