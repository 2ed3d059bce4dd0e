import { migrateDatabase, openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { describe, expect, test } from "vitest";
import { KEPT_CHANGES, MAX_CHANGED_KEYS } from "../limits/limits.ts";
import { openChangedKeys } from "./changed-keys.ts";
import { scanMigrations } from "./scan-migrations.ts";

const named = (...names: readonly string[]) => ({
  names: names.map((name) => ({ name, owner: `owner of ${name}` })),
  templates: [],
});

function open() {
  const state = new SqliteState(openDatabase(":memory:"));
  const { database } = state;
  migrateDatabase(database, scanMigrations);
  return { database, keys: openChangedKeys(state) };
}

describe("changed keys", () => {
  test("are those behind an entry", () => {
    const { keys } = open();
    for (const [i, name] of ["a", "b", "c"].entries()) keys.add(i + 1, named(name));
    expect(keys.listBetween(1, 3)).toEqual([named("b"), named("c")]);
    expect(keys.listBetween(3, 9)).toEqual([]);
  });

  test("are all keys to a reader that is further behind than they are kept", () => {
    const { database, keys } = open();
    keys.add(1, named("a"));
    keys.add(1 + KEPT_CHANGES, named("b"));
    expect(database.prepare("select count(*) as rows from changed_keys").get()).toEqual({ rows: 1n });
    expect(keys.listBetween(0, 1 + KEPT_CHANGES)).toEqual(["all"]);
    expect(keys.listBetween(1, 1 + KEPT_CHANGES)).toEqual([named("b")]);
  });

  test("are all keys if one entry changes very many names", () => {
    const { keys } = open();
    keys.add(1, named(...Array.from({ length: MAX_CHANGED_KEYS + 1 }, (_, i) => `${i}`)));
    expect(keys.listBetween(0, 1)).toEqual(["all"]);
  });

  test("take no row where no key changed", () => {
    const { database, keys } = open();
    keys.add(1, named());
    expect(database.prepare("select count(*) as rows from changed_keys").get()).toEqual({ rows: 0n });
  });
});
