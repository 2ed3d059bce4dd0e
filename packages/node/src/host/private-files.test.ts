import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openDatabase } from "../database/open-database.ts";
import { loadMemberIdentity } from "../identity/kept-identity.ts";
import { createLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), "data");
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function modesIn(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]));
}

/** Everything that a node writes to disk. */
function write(): void {
  const database = openDatabase(join(folder, "store.sqlite"));
  onTestFinished(() => database.close());
  database.exec("create table if not exists t (a); insert into t values (1)");
  loadMemberIdentity(folder, "node", systemHost);
  createLog({ level: "info", file: join(folder, "node.log") }).info({}, "written");
}

const PRIVATE = {
  "identity.json": "600",
  "node.log": "600",
  "store.sqlite": "600",
  "store.sqlite-shm": "600",
  "store.sqlite-wal": "600",
};

test("databases, keys and logs are their owner's alone, whatever the umask", () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  write();
  expect(modesIn(folder)).toEqual(PRIVATE);
  expect(modeOf(folder)).toBe("700");
});

test("files that others could read are made private when they are opened", () => {
  mkdirSync(folder);
  write();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  write();
  expect(modesIn(folder)).toEqual(PRIVATE);
});

test("files of somebody else's format in the folder stay as they are", () => {
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "", { mode: 0o644 });
  write();
  expect(modesIn(folder)).toMatchObject({ "notes.txt": "644" });
});
