import { openDatabase } from "@callsign/node";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyedRows } from "./keyed-rows.ts";

/** A step of a writer: rows are new when they are set, and a removed key is not used again. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), value: fc.bigInt(0n, 99n) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), which: fc.nat(99) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("find" as const), which: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("save some" as const), most: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("commit" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fail" as const) }) },
);

function openTable(remembered: number) {
  const database = openDatabase(":memory:");
  database.exec("create table row (key text primary key, value integer not null) strict");
  const insert = database.prepare("insert into row (key, value) values (?, ?)");
  const remove = database.prepare("delete from row where key = ?");
  const select = database.prepare("select value from row where key = ?");
  const rows = new KeyedRows<bigint>({
    read: (key) => select.get(key)?.["value"] as bigint | undefined,
    write: (key, value) => insert.run(key, value),
    remove: (key) => remove.run(key),
    remembered,
  });
  const stored = () =>
    new Map(
      database
        .prepare("select key, value from row")
        .all()
        .map((row) => [row["key"], row["value"]]),
    );
  return { database, rows, stored };
}

test("keyed rows read like a map after any sets, removals, saves and reloads", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(3), (steps, remembered) => {
      const { database, rows, stored } = openTable(remembered);
      let committed = new Map<string, bigint>();
      let current = new Map<string, bigint>();
      let used = 0;
      database.exec("begin");
      for (const each of steps) {
        if (each.kind === "add") {
          const key = `key ${used++}`;
          rows.set(key, each.value);
          current.set(key, each.value);
        } else if (each.kind === "remove") {
          const key = [...current.keys()][each.which % Math.max(current.size, 1)];
          if (key === undefined) continue;
          rows.remove(key);
          current.delete(key);
        } else if (each.kind === "find") {
          const key = `key ${each.which % (used + 1)}`;
          expect(rows.find(key)).toBe(current.get(key));
        } else if (each.kind === "save some") {
          let left = each.most;
          if (rows.save(() => left-- <= 0)) expect(stored()).toEqual(current);
          else expect(left).toBeLessThan(0);
        } else if (each.kind === "commit") {
          expect(rows.save()).toBe(true);
          database.exec("commit; begin");
          committed = new Map(current);
          expect(stored()).toEqual(committed);
        } else {
          rows.save();
          database.exec("rollback; begin");
          rows.reload();
          current = new Map(committed);
        }
      }
      for (let i = 0; i < used; i++) expect(rows.find(`key ${i}`)).toBe(current.get(`key ${i}`));
      database.close();
    }),
    { numRuns: 200 },
  );
});

test("a row set and removed between two saves never reaches the table", () => {
  const { database, rows, stored } = openTable(10);
  rows.set("fleeting", 1n);
  rows.remove("fleeting");
  rows.set("lasting", 2n);
  rows.save();
  expect(stored()).toEqual(new Map([["lasting", 2n]]));
  expect(database.prepare("select total_changes() as changes").get()?.["changes"]).toBe(1n);
  database.close();
});
