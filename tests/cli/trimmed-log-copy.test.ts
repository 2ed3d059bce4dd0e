/** `callsign log copy` of a log whose first entries were pruned. */
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { DaysNetwork } from "../support/days-network.ts";
import { postgresLogValues } from "../support/log-values.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { readEntries } from "../synchronizer/log-entries.ts";
import { openLog } from "../synchronizer/open-log.ts";
import { runWith } from "./run-here.ts";
import type { Values } from "./setup-kit.ts";

const CONFIG = { retentionMicroseconds: DAY };

const valuesOf = (dataFolder: string, log: Values = {}): Values => ({
  ...{ svs: [{ name: "sv-1" }], disableAuth: true, log },
  callsign: { dataFolder, log: { level: "ERROR" } },
});

function copy(from: Values, to: Values) {
  const file = join(temporaryFolder(), "to.yaml");
  writeFileSync(file, JSON.stringify(to));
  return runWith(["log", "copy", "--to", file], { files: [from] });
}

async function endsOf(folder: string) {
  const log = new SqliteLog(join(folder, "log.db"), systemHost);
  const ends = { start: await log.start(), head: await log.head(), first: await log.keptFirst() };
  await log.close();
  return ends;
}

test("a pruned log goes from SQLite to PostgreSQL and back, and SVs start on the copy", async (context) => {
  const database = await sharedDatabase(undefined, context);
  const network = await DaysNetwork.found(1, { config: CONFIG });
  for (let day = 0; day < 3; day++) await network.passDay();
  await network.prune();
  const { folder, offset } = network;
  const inUse = await copy(valuesOf(folder), valuesOf(temporaryFolder()));
  expect(inUse.exitCode).toBe(1);
  expect(inUse.complained).toContain("is in use by another process: stop that one first");
  await network.close();
  const ends = await endsOf(folder);
  expect(ends.start.sequence).toBeGreaterThan(0);
  const settings = postgresLogValues(database);
  const server = valuesOf(folder, settings);
  const out = await copy(valuesOf(folder), server);
  expect([out.exitCode, out.complained]).toEqual([0, ""]);
  const { schema } = settings.postgres;
  const follower = await openLog("postgres", JSON.stringify({ ...database, schema }));
  const following = readEntries(follower, ends.head.sequence, 1).catch(() => []);
  const probe = await openLog("postgres", JSON.stringify({ ...database, schema }));
  await until(async () => (await probe.isFollowed?.()) === true, "the log is followed");
  expect(await follower.isFollowed?.()).toBe(false);
  const followed = await copy(server, valuesOf(temporaryFolder()));
  expect(followed.exitCode).toBe(1);
  expect(followed.complained).toMatch(/SVs or scans follow the log .*: stop all of them, on every machine/);
  await follower.close();
  await following;
  // The server ends a closed session in its own time.
  await until(async () => (await probe.isFollowed?.()) === false, "nobody follows the log");
  await probe.close();
  const there = temporaryFolder();
  const back = await copy(server, valuesOf(there));
  expect([back.exitCode, back.complained]).toEqual([0, ""]);
  expect(await endsOf(there)).toEqual(ends);
  // The copy alone makes no replica: a snapshot stands in for the entries before it.
  const sv = join(folder, "sv-1");
  for (const name of readdirSync(sv).filter((each) => /^(identity|snapshot-\d+\.db$)/.test(each)))
    cpSync(join(sv, name), join(there, "sv-1", name));
  const again = await DaysNetwork.reopen(1, { folder: there, offset, config: CONFIG });
  expect(again.svs[0]?.replica.state.head.sequence).toBeGreaterThanOrEqual(ends.head.sequence);
  await again.passDay();
  await again.close();
  for (const name of readdirSync(sv).filter((each) => each.startsWith("snapshot-"))) rmSync(join(sv, name));
  const without = await copy(server, valuesOf(temporaryFolder()));
  expect(without.exitCode).toBe(1);
  expect(without.complained).toContain("no snapshot takes the place of the entries before it");
});
