import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { isDamage, markDamaged, moveAside, openRebuildable } from "./damaged-files.ts";
import { StoreIsNewer } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { DatabaseInUse } from "./store-errors.ts";

const GARBAGE = "no database, but long enough to be looked at as one, and then some more";

function fileIn(folder: string, host = systemHost) {
  const options = { exclusive: true, owner: "a store" };
  return { path: join(folder, "some.db"), options, source: "elsewhere", host, log: silentLog };
}

/** Counts the rows, and so reads the table at the start as stores do. */
function open(database: DatabaseSync): { readonly database: DatabaseSync; readonly rows: number } {
  database.exec("create table if not exists item (id integer primary key)");
  return { database, rows: Number(database.prepare("select count(*) as n from item").get()?.["n"]) };
}

async function fill(folder: string): Promise<void> {
  const { opened } = await openRebuildable(fileIn(folder), open);
  opened.database.exec("insert into item values (1), (2), (3)");
  opened.database.close();
}

async function countAgain(
  folder: string,
): Promise<{ readonly rows: number; readonly movedTo: string | undefined }> {
  const { opened, rebuilt } = await openRebuildable(fileIn(folder), open);
  opened.database.close();
  return { rows: opened.rows, movedTo: rebuilt?.movedTo };
}

test("a sound file is opened as it is", async () => {
  const folder = temporaryFolder();
  await fill(folder);
  expect(await countAgain(folder)).toEqual({ rows: 3, movedTo: undefined });
});

test.each([
  ["that is no database", (path: string) => writeFileSync(path, GARBAGE)],
  [
    "of another store",
    (path: string) => {
      writeFileSync(path, "");
      openDatabase(path, { owner: "another store" }).close();
    },
  ],
  ["with a damaged page", (path: string) => writeFileSync(path, readFileSync(path).fill(0xff, 4096, 8192))],
])("a file %s is moved aside whole, and an empty one takes its place", async (_, damage) => {
  const folder = temporaryFolder();
  await fill(folder);
  const { path } = fileIn(folder);
  damage(path);
  const bytes = readFileSync(path);
  const { rows, movedTo } = await countAgain(folder);
  expect(rows).toBe(0);
  expect(readFileSync(join(movedTo ?? "", "some.db"))).toEqual(bytes);
  expect(JSON.parse(readFileSync(join(movedTo ?? "", "reason.json"), "utf8"))).toMatchObject({
    folder: movedTo,
  });
  expect(await countAgain(folder)).toEqual({ rows: 0, movedTo: undefined });
});

test("a file of another owner is left alone by one who cannot rebuild it", () => {
  const path = join(temporaryFolder(), "some.db");
  openDatabase(path, { owner: "one" }).close();
  expect(() => openDatabase(path, { owner: "two" })).toThrow(`${path} is the file of another store`);
  openDatabase(path, { owner: "one" }).close();
});

test("a file that was marked while it was in use is moved aside when it is opened next", async () => {
  const folder = temporaryFolder();
  await fill(folder);
  markDamaged(fileIn(folder).path, "a page was no page", systemHost);
  const { opened, rebuilt } = await openRebuildable(fileIn(folder), open);
  opened.database.close();
  expect([opened.rows, rebuilt?.reason]).toEqual([0, "a page was no page"]);
});

test("a move that is cut short anywhere is finished later, with all files in one folder", async () => {
  for (let moves = 0; moves <= 5; moves++) {
    const folder = temporaryFolder();
    await fill(folder);
    const { path } = fileIn(folder);
    // As after a crash: SQLite removes it when a database is closed.
    writeFileSync(`${path}-wal`, "the write-ahead log");
    markDamaged(path, "damaged", systemHost);
    let left = moves;
    const files = {
      ...systemHost.files,
      move: (from: string, to: string) => {
        if (left-- === 0) throw new Error("killed");
        systemHost.files.move(from, to);
      },
    };
    const isCutShort = moves < 5;
    if (isCutShort) expect(() => moveAside(path, { files })).toThrow("killed");
    else moveAside(path, { files });
    moveAside(path, systemHost);
    const [movedTo = "", ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(readdirSync(join(folder, movedTo)).sort()).toEqual(["reason.json", "some.db", "some.db-wal"]);
    expect(existsSync(path)).toBe(false);
  }
});

test("errors that are not about the file's contents are no damage", () => {
  const missing = Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "open" });
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const busy = Object.assign(new Error("database is locked"), { errcode: 5 });
  for (const error of [new DatabaseInUse(""), new StoreIsNewer(""), missing, full, busy])
    expect(isDamage(error)).toBe(false);
  const malformed = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
  for (const error of [malformed, new SyntaxError("Unexpected token")]) expect(isDamage(error)).toBe(true);
});
