// `callsign log copy` between the backends: the copy has the same entries, and gives the same state.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import type { LogHead } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { postgresLogValues } from "../support/log-values.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { runWith } from "./run-here.ts";
import type { Values } from "./setup-kit.ts";

const NAMES = ["sv-1", "sv-2"];

function svValues(dataFolder: string, log: Values = {}): Values {
  return {
    svs: NAMES.map((name) => ({ name })),
    disableAuth: true,
    log,
    callsign: { dataFolder, log: { level: "ERROR" } },
  };
}

function copy(from: Values, to: Values) {
  const file = join(temporaryFolder(), "to.yaml");
  writeFileSync(file, JSON.stringify(to));
  return runWith(["log", "copy", "--to", file], { files: [from] });
}

/** A network with some entries; returns the digest that its replicas have at the end. */
async function network(dataFolder: string): Promise<string> {
  const { svs, settle, close } = await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES });
  await settle();
  const digest = svs[0]?.replica.state.head.digest ?? "";
  await close();
  return digest;
}

async function headOf(dataFolder: string): Promise<LogHead> {
  const log = new SqliteLog(join(dataFolder, "log.db"), systemHost);
  const head = await log.head();
  await log.close();
  return head;
}

test("a log goes from SQLite to PostgreSQL and back, and gives the same digests", async (context) => {
  const folder = temporaryFolder();
  const [here, there] = [join(folder, "here"), join(folder, "there")];
  const database = await sharedDatabase(undefined, context);
  const server = svValues(here, postgresLogValues(database));
  const digest = await network(here);
  const head = await headOf(here);
  const out = await copy(svValues(here), server);
  expect([out.exitCode, out.complained]).toEqual([0, ""]);
  expect(out.said).toContain(
    `  entries: ${head.sequence}, ${head.sequence} of them copied now and 0 before\n  last entry: ${head.entryHash}\n`,
  );
  const back = await copy(server, svValues(there));
  expect([back.exitCode, back.complained]).toEqual([0, ""]);
  expect(await headOf(there)).toEqual(head);
  expect(await headOf(here)).toEqual(head);
  // The replicas of the copy are made from it alone.
  for (const name of NAMES) {
    const identity = systemHost.files.read(join(here, name, "identity.json")) ?? "";
    systemHost.files.makeFolder(join(there, name));
    systemHost.files.write(join(there, name, "identity.json"), identity);
  }
  const { svs, close } = await startSvsIn({
    dataFolder: there,
    migrationId: 0n,
    names: NAMES,
    isQuiet: true,
  });
  const reached = svs.map(({ replica }) => replica.state.head);
  await close();
  expect(reached.map((each) => [each.sequence, each.digest])).toEqual(
    NAMES.map(() => [head.sequence, digest]),
  );
});

test("a copy that was interrupted goes on, and one that is complete is verified again", async () => {
  const folder = temporaryFolder();
  const [here, there] = [join(folder, "here"), join(folder, "there")];
  await network(here);
  const { sequence } = await headOf(here);
  expect((await copy(svValues(here), svValues(there))).exitCode).toBe(0);
  const database = new DatabaseSync(join(there, "log.db"));
  const row = database.prepare("select bytes from entry where sequence = 3").get();
  const hash = /^\[3,"([0-9a-f]{64})"/.exec(String(row?.["bytes"]))?.[1] ?? "";
  database.exec("delete from entry where sequence > 2");
  database.prepare("update head set sequence = 2, hash = ?").run(hash);
  database.close();
  const resumed = await copy(svValues(here), svValues(there));
  expect(resumed.said).toContain(`entries: ${sequence}, ${sequence - 2} of them copied now and 2 before`);
  expect(await headOf(there)).toEqual(await headOf(here));
  const again = await copy(svValues(here), svValues(there));
  expect(again.said).toContain(`entries: ${sequence}, 0 of them copied now and ${sequence} before`);
});

test("a copy refuses a damaged entry on either side, another network, and places that cannot be meant", async () => {
  const folder = temporaryFolder();
  const [here, there, other] = [join(folder, "here"), join(folder, "there"), join(folder, "other")];
  const complaintOf = async (from: Values, to: Values) => {
    const { exitCode, complained } = await copy(from, to);
    expect(exitCode).toBe(1);
    return complained;
  };
  expect(await complaintOf(svValues(here), svValues(there))).toContain(
    `there is no log ${join(here, "log.db")}`,
  );
  expect(systemHost.files.list(folder)).toEqual([]);
  await network(here);
  await network(other);
  expect(await complaintOf(svValues(here), svValues(here))).toContain("there is nothing to copy");
  expect(await complaintOf(svValues(here), svValues(other))).toMatch(
    /does not follow entry \d+ of the copy|is another one than that of the log|has \d+ entries already/,
  );
  expect((await copy(svValues(here), svValues(there))).exitCode).toBe(0);
  damage(there);
  expect(await complaintOf(svValues(here), svValues(there))).toMatch(
    /the log is damaged|does not follow entry/,
  );
  damage(here);
  expect(await complaintOf(svValues(here), svValues(join(folder, "new")))).toMatch(
    /the log is damaged|does not follow entry/,
  );
});

/** One digit of the second entry's content. */
function damage(dataFolder: string): void {
  const database = new DatabaseSync(join(dataFolder, "log.db"));
  const changed = database
    .prepare(
      "update entry set bytes = substr(bytes, 1, length(bytes) - 4) || 'x' || substr(bytes, -3) where sequence = 2",
    )
    .run();
  database.close();
  expect(changed.changes).toBe(1);
}
