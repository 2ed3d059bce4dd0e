import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { withSmallDatabases } from "./small-databases.ts";

const folder = mkdtempSync(join(tmpdir(), "callsign-small-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function settingsOf(host: typeof systemHost, path: string) {
  const database = host.files.openDatabase(path);
  const read = (name: string) => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]);
  const settings = {
    cacheKibibytes: -read("cache_size"),
    pageBytes: read("page_size"),
    checkpointPages: read("wal_autocheckpoint"),
  };
  database.exec("create table if not exists t (id integer)");
  database.close();
  return settings;
}

test("databases of a process that has many have short pages and a sixteenth of the usual cache", () => {
  expect(settingsOf(systemHost, join(folder, "large.db"))).toEqual({
    cacheKibibytes: 16_384,
    pageBytes: 4096,
    checkpointPages: 1000,
  });
  expect(settingsOf(withSmallDatabases(systemHost), join(folder, "small.db"))).toEqual({
    cacheKibibytes: 1024,
    pageBytes: 1024,
    checkpointPages: 4000,
  });
});

test("a file keeps the pages that it was made with", () => {
  const path = join(folder, "kept.db");
  settingsOf(systemHost, path);
  expect(settingsOf(withSmallDatabases(systemHost), path)).toMatchObject({
    pageBytes: 4096,
    checkpointPages: 1000,
  });
});
