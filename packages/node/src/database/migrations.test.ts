import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { migrateDatabase, StoreIsNewer, type StoreMigrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Sql, SqlRow } from "./store.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const TABLES = "create table pot (name text primary key);\ncreate table lid (name text primary key);\n";
const FILL = "insert into pot (name) values ('first')";

type Step = string | "throw";

/** The same plan over both kinds of connection; a step is a script, run as one or by a function. */
const kinds: Record<string, (steps: readonly Step[], unrecorded?: number) => Promise<readonly SqlRow[]>> = {
  "node:sqlite": async (steps, unrecorded) => {
    const database = openDatabase(join(folder, "store.db"));
    const migrations = steps.map((step) => (on: DatabaseSync) => {
      if (step === "throw") {
        on.exec(FILL);
        throw new Error("no");
      }
      on.exec(step);
    });
    const plan: StoreMigrations<DatabaseSync> = {
      store: "pots",
      migrations,
      ...(unrecorded === undefined ? {} : { unrecordedVersion: () => unrecorded }),
    };
    try {
      migrateDatabase(database, plan);
      return database.prepare("select name from pot order by name").all() as SqlRow[];
    } finally {
      database.close();
    }
  },
  "the Store interface": async (steps, unrecorded) => {
    const migrations = steps.map((step) =>
      step === "throw"
        ? async (sql: Sql) => {
            await sql.run(FILL);
            throw new Error("no");
          }
        : step,
    );
    const store = await openSqliteStore(openDatabase(join(folder, "store.db")), {
      store: "pots",
      migrations,
      ...(unrecorded === undefined ? {} : { unrecordedVersion: async () => unrecorded }),
    });
    try {
      return await store.all("select name from pot order by name");
    } finally {
      await store.close();
    }
  },
};

describe.each(Object.entries(kinds))("migrations over %s", (_, open) => {
  test("run once each, in order, whenever they were added", async () => {
    expect(await open([TABLES])).toEqual([]);
    expect(await open([TABLES, FILL])).toEqual([{ name: "first" }]);
    expect(await open([TABLES, FILL])).toEqual([{ name: "first" }]);
    expect(await open([TABLES, FILL, "insert into pot select 'second' from pot"])).toEqual([
      { name: "first" },
      { name: "second" },
    ]);
  });

  test("leave nothing behind when one fails, and run again with the next start", async () => {
    await expect(open([TABLES, "throw"])).rejects.toThrow("no");
    expect(await open([TABLES, FILL])).toEqual([{ name: "first" }]);
  });

  test("refuse a store that a later program wrote", async () => {
    await open([TABLES, FILL]);
    await expect(open([TABLES])).rejects.toThrow(StoreIsNewer);
    await expect(open([TABLES])).rejects.toThrow(
      /"pots" has version 2, and this program knows versions up to 1/,
    );
  });

  test("skip what a store from before recorded versions has already", async () => {
    const before = openDatabase(join(folder, "store.db"));
    before.exec(TABLES);
    before.close();
    expect(await open([TABLES, FILL], 1)).toEqual([{ name: "first" }]);
    expect(await open([TABLES, FILL], 0)).toEqual([{ name: "first" }]);
  });
});
