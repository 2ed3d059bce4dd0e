// One suite for both stores: values, order, transactions, migrations, closing.

import {
  DatabaseInUse,
  type Host,
  insertInto,
  listsForIn,
  placesFrom,
  type Sql,
  type SqlValue,
  StoreIsNewer,
  systemHost,
} from "@callsign/node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STORE_KINDS } from "../support/postgres.ts";
import { StorePlaceOfTest } from "./stores.ts";

const PLAN = {
  store: "pots",
  migrations: ["create table pot (name text primary key, coins bigint not null);\n"],
};

/** Pauses between tries pass at once; limits of time stay as they are. */
const withoutPauses: Host = {
  ...systemHost,
  timers: {
    ...systemHost.timers,
    set: (callback, milliseconds) => systemHost.timers.set(callback, milliseconds < 1000 ? 0 : milliseconds),
  },
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.for(STORE_KINDS)("a store on %s", (kind) => {
  test("parameters go by their number, and integers come back whole", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    expect(await store.run("insert into pot (name, coins) values ($2, $1)", 2n ** 62n, "a")).toBe(1);
    expect(await store.get("select coins, name, $1 as again from pot where name = $1", "a")).toEqual({
      coins: 2n ** 62n,
      name: "a",
      again: "a",
    });
    expect(await store.all("select * from pot where name = $1", "b")).toEqual([]);
    expect(await store.get("select * from pot where name = $1", "b")).toBeUndefined();
  });

  test("rows are inserted and found in lists of any length", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    const insert = insertInto("pot", "name, coins", "on conflict (name) do nothing");
    const names: string[] = [];
    for (const count of [0, 1, 16, 17, 500]) {
      const rows = Array.from({ length: count }, (_, i) => [`${count}-${i}`, BigInt(i)] as const);
      // A row that is there already stays as it is.
      await insert(store, [...rows, ...rows.map(([name]) => [name, -1n])]);
      names.push(...rows.map(([name]) => name));
    }
    expect(await store.get("select count(*) as pots, min(coins) as least from pot")).toEqual({
      ...{ pots: 534n, least: 0n },
    });
    for (const count of [0, 1, 16, 17, 534]) {
      const found: unknown[] = [];
      for (const some of listsForIn(names.slice(0, count)))
        found.push(
          ...(await store.all(`select name from pot where name in (${placesFrom(1, some)})`, ...some)),
        );
      expect(found).toHaveLength(count);
    }
  });

  test("values of every type come back as they were given", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open({
      store: "things",
      migrations: ["create table thing (id bigint primary key, words text, amount bigint, bytes blob);\n"],
    });
    const rows: Readonly<Record<string, SqlValue>>[] = [
      { id: 0n, words: "", amount: 2n ** 63n - 1n, bytes: new Uint8Array() },
      { id: 1n, words: "\u0000", amount: -(2n ** 63n), bytes: new Uint8Array([0, 255, 128]) },
      { id: 2n, words: "\u0001\u0000\u0001\u0002 'quoted' \\x41 $1 \n", amount: 0n, bytes: null },
      {
        id: 3n,
        words: "𝔘nicode ü \uffff",
        amount: null,
        bytes: Uint8Array.from({ length: 70_000 }, (_, i) => i),
      },
      { id: 4n, words: "x".repeat(3_000_000), amount: -1n, bytes: new Uint8Array([0x5c, 0x78]) },
      { id: 5n, words: null, amount: 9_007_199_254_740_993n, bytes: null },
    ];
    for (const { id, words, amount, bytes } of rows) {
      const values = [id, words, amount, bytes] as readonly SqlValue[];
      expect(
        await store.run("insert into thing (id, words, amount, bytes) values ($1, $2, $3, $4)", ...values),
      ).toBe(1);
    }
    expect(await store.all("select id, words, amount, bytes from thing order by id")).toEqual(rows);
    expect(await store.run("update thing set amount = $1 where id = $2", 7, 5)).toBe(1);
    expect(await store.get("select amount from thing where id = 5")).toEqual({ amount: 7n });
    expect(
      await store.get(
        `select count(*) as rows, sum(id) as sum, max(id) + 1 as next, coalesce(min(amount), 0) as least,
          max(amount) as most, 1 as one, (select max(id) from thing where id > 99) as none from thing where id < $1`,
        3n,
      ),
    ).toEqual({
      rows: 3n,
      sum: 3n,
      next: 3n,
      least: -(2n ** 63n),
      most: 2n ** 63n - 1n,
      one: 1n,
      none: null,
    });
  });

  test("texts are equal and ordered by their bytes, whatever they hold", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    const bits = fc.array(
      fc.constantFrom(
        "\u0000",
        "\u0001",
        "\u0002",
        "a",
        "A",
        "Z",
        "_",
        " ",
        "ä",
        "é",
        "\u007f",
        "\ue000",
        "😀",
      ),
      { maxLength: 6 },
    );
    const names = fc.sample(bits, { numRuns: 150, seed: 12 }).map((each) => each.join(""));
    const unique = [...new Set(["", ...names])];
    await store.transaction(async (sql) => {
      for (const name of unique) await sql.run("insert into pot (name, coins) values ($1, 1)", name);
    });
    const byBytes = [...unique].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = await store.all("select name from pot order by name");
    expect(listed.map(({ name }) => name)).toEqual(byBytes);
    for (const name of byBytes.slice(0, 20)) {
      expect(await store.all("select name from pot where name = $1", name)).toEqual([{ name }]);
      const [next] = await store.all("select name from pot where name > $1 order by name limit $2", name, 1n);
      expect(next?.["name"]).toBe(byBytes[byBytes.indexOf(name) + 1]);
    }
    expect(await store.get("select max(name) as last from pot")).toEqual({ last: byBytes.at(-1) });
  });

  test("a row is inserted once, and a conflict can update it or be ignored", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    const insert = "insert into pot (name, coins) values ($1, $2)";
    expect(await store.run(insert, "a", 1n)).toBe(1);
    await expect(store.run(insert, "a", 2n)).rejects.toThrow(/unique/i);
    expect(await store.run(`${insert} on conflict (name) do nothing`, "a", 3n)).toBe(0);
    expect(
      await store.run(`${insert} on conflict (name) do update set coins = excluded.coins`, "a", 4n),
    ).toBe(1);
    const deleted = await store.transaction((sql) =>
      sql.get("delete from pot where name = $1 returning coins", "a"),
    );
    expect(deleted).toEqual({ coins: 4n });
  });

  test("a transaction that fails leaves nothing, and the next one works", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    const failing = store.transaction(async (sql) => {
      await sql.run("insert into pot values ($1, $2)", "a", 1n);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await expect(store.transaction((sql) => sql.run("insert into nowhere values (1)"))).rejects.toThrow(
      /nowhere/,
    );
    expect(await store.all("select * from pot")).toEqual([]);
    await store.transaction((sql) => sql.run("insert into pot values ($1, $2)", "a", 2n), {
      repeatable: true,
    });
    expect(await store.all("select coins from pot")).toEqual([{ coins: 2n }]);
  });

  test("a transaction's read and its later write have no other write between them", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    await store.run("insert into pot values ('a', 0)");
    const add = () =>
      store.transaction(async (sql) => {
        const coins = (await sql.get("select coins from pot"))?.["coins"] as bigint;
        await turn();
        await sql.run("update pot set coins = $1", coins + 1n);
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await store.get("select coins from pot")).toEqual({ coins: 20n });
  });

  test("statements outside a transaction see all of it or nothing", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    const seen = new Set<number>();
    const writing = store.transaction(async (sql) => {
      await sql.run("insert into pot values ('a', 1)");
      await turn();
      await sql.run("insert into pot values ('b', 1)");
      await turn();
    });
    const reading = Array.from({ length: 12 }, async () => {
      seen.add((await store.all("select name from pot")).length);
    });
    await Promise.all([writing, ...reading]);
    seen.add((await store.all("select name from pot")).length);
    expect([...seen].filter((rows) => rows !== 0)).toEqual([2]);
  });

  test("single statements get their turn among endless transactions", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    let isDone = false;
    const write = async () => {
      while (!isDone) await store.transaction((sql) => sql.run("update pot set coins = 1"));
    };
    const writers = [write(), write()];
    for (let i = 0; i < 20; i++) await store.get("select * from pot");
    isDone = true;
    await Promise.all(writers);
  });

  test("closing waits for the transactions that run, and is final", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const store = await place.open(PLAN);
    const work = [1, 2].map((number) =>
      store.transaction(async (sql) => {
        await turn();
        await sql.run("insert into pot values ($1, 1)", `${number}`);
      }),
    );
    await store.close();
    await Promise.all(work);
    await store.close();
    await expect(store.run("insert into pot values ('late', 1)")).rejects.toThrow();
    const again = await place.open(PLAN);
    expect(await again.all("select name from pot order by name")).toEqual([{ name: "1" }, { name: "2" }]);
  });

  test("one process at a time: a second opening is refused until the first is closed", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const store = await place.open(PLAN);
    const second = place.open(PLAN, withoutPauses);
    await expect(second).rejects.toThrow(/in use by another process.*stop that one first/);
    await expect(second).rejects.toBeInstanceOf(DatabaseInUse);
    expect(await store.run("insert into pot values ('a', 1)")).toBe(1);
    await store.close();
    await place.open(PLAN);
  });

  test("migrations run once each, all or nothing, and a later program's store is refused", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const close = async (migrations: readonly (string | ((sql: Sql) => Promise<void>))[]) => {
      const store = await place.open({ store: "pots", migrations });
      const rows = await store.all("select name from pot order by name");
      await store.close();
      return rows.map(({ name }) => name);
    };
    const first = "create table pot (name text primary key);\ncreate index pots on pot (name);\n";
    const fill = "insert into pot (name) values ('first');\n";
    expect(await close([first])).toEqual([]);
    const failing = async (sql: Sql) => {
      await sql.run("alter table pot add column coins bigint");
      await sql.run("insert into pot (name) values ('half')");
      throw new Error("no");
    };
    await expect(close([first, failing])).rejects.toThrow("no");
    expect(await close([first, fill])).toEqual(["first"]);
    expect(await close([first, fill, "alter table pot add column coins bigint;\n"])).toEqual(["first"]);
    const older = close([first]);
    await expect(older).rejects.toThrow(/"pots" has version 3, and this program knows versions up to 1/);
    await expect(older).rejects.toBeInstanceOf(StoreIsNewer);
  });

  test("a store that can be written says so", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(PLAN);
    expect(store.unwritable()).toBeNull();
    expect(store.unwritable()).toBeNull();
  });
});

test('lists behind "in" have few different lengths, and lose no value', () => {
  const lengths = new Set<number>();
  for (let length = 0; length < 1200; length++) {
    const list = Array.from({ length }, (_, i) => i);
    const parts = listsForIn(list);
    expect([...new Set(parts.flat())]).toEqual(list);
    for (const part of parts) lengths.add(part.length);
  }
  expect(lengths.size).toBe(16 + 5);
});
