// `callsign network migrate` and `network activate` as an operator runs them, and `callsign sv` with either id.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { runWith } from "./run-here.ts";

const NAMES = ["sv-1", "sv-2", "sv-3", "sv-4"];

function run(words: readonly string[], dataFolder: string, migrationId = 0) {
  const values = {
    svs: NAMES.map((name) => ({ name, ports: { scan: 0, sequencer: 0, app: 0 } })),
    migration: { id: migrationId },
    disableAuth: true,
    callsign: { dataFolder, healthPort: 0, metricsPort: 0, log: { level: "ERROR" } },
  };
  return runWith(words, { files: [values] });
}

test("network migrate tells what it carries over, where to, and what to do next; once", async () => {
  const dataFolder = join(temporaryFolder(), "sv");
  await (await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES })).close();
  const { exitCode, said, complained } = await run(["network", "migrate"], dataFolder);
  expect([exitCode, complained]).toEqual([0, ""]);
  const lines = said.split("\n");
  const place = join(dataFolder, "log-1.db");
  expect(lines[0]).toMatch(/^4 of 4 SVs have the same state after entry \d+$/);
  expect(lines.slice(1, 4)).toEqual([
    "the new log has 2 entries",
    "the new log gives the same state",
    `The network is migrated to id 1: ${place}`,
  ]);
  expect(lines[5]).toMatch(/^ {2}begins with: entry 2, digest [0-9a-f]{64}, 1 parts of state$/);
  // Four SVs with a party each, and the DSO.
  for (const line of [
    "signed by: sv-1, sv-2, sv-3, sv-4",
    "members: 4",
    "parties: 5",
    "names: 0",
    "coin: 0.0",
  ])
    expect(lines).toContain(`  ${line}`);
  expect(said).toContain("Set migration.id to 1 and start callsign sv.");
  const again = await run(["network", "migrate"], dataFolder);
  expect([again.exitCode, again.said.split("\n")[0]]).toEqual([
    0,
    `The network was migrated to id 1 before: ${place}`,
  ]);
  const old = await run(["sv"], dataFolder);
  expect([old.exitCode, old.complained]).toEqual([
    1,
    `callsign sv cannot start: the network in ${dataFolder} was migrated from id 0 to id 1: set migration.id to 1. To ` +
      `give the migration up, move ${place} away; what happened under the new id is lost then\n`,
  ]);
  const unknown = await run(["sv"], dataFolder, 2);
  expect([unknown.exitCode, unknown.complained]).toEqual([
    1,
    `callsign sv cannot start: the network of ${join(dataFolder, "log.db")} has migration id 0, not 2: set ` +
      "migration.id to 0\n",
  ]);
});

test("a migrated log is backed up and restored like any other", async () => {
  const folder = temporaryFolder();
  const [dataFolder, copy, restored] = ["sv", "copy", "restored"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await (await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES })).close();
  await run(["network", "migrate"], dataFolder);
  const { log, close } = await startSvsIn({ dataFolder, migrationId: 1n, names: NAMES, isQuiet: true });
  const head = await log.head();
  await close();
  expect((await run(["backup", "sv", "--to", copy], dataFolder, 1)).exitCode).toBe(0);
  expect((await run(["restore", "sv", "--from", copy], restored, 1)).exitCode).toBe(0);
  const again = await startSvsIn({ dataFolder: restored, migrationId: 1n, names: NAMES, isQuiet: true });
  expect(await again.log.head()).toEqual(head);
  expect(again.svs.map(({ replica }) => replica.state.network?.migrationId)).toEqual([1n, 1n, 1n, 1n]);
  await again.close();
});

test("network migrate says why it cannot migrate", async () => {
  const dataFolder = join(temporaryFolder(), "nothing");
  const { exitCode, complained } = await run(["network", "migrate"], dataFolder);
  expect([exitCode, complained]).toEqual([
    1,
    `callsign network migrate: there is no network in ${dataFolder}: set callsign.dataFolder and migration.id to ` +
      "those of the SVs\n",
  ]);
  expect(existsSync(dataFolder)).toBe(false);
});

test("network activate gives a stopped network of an earlier version the present one, once, and needs a quorum", async () => {
  const dataFolder = join(temporaryFolder(), "sv");
  const founding = { protocolVersion: 1n };
  await (await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES, founding })).close();
  rmSync(join(dataFolder, "sv-4", "identity.json"));
  const { exitCode, said, complained } = await run(["network", "activate"], dataFolder);
  expect([exitCode, complained]).toEqual([0, ""]);
  expect(said.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^The network has protocol version 5 from entry \d+ on; it had 1\.$/),
    "  signed by: sv-1, sv-2, sv-3",
    `  without sv-4: ${join(dataFolder, "sv-4")} has no identity`,
  ]);
  expect(said).toContain("SVs of an earlier release can no longer follow the log");
  rmSync(join(dataFolder, "sv-3", "identity.json"));
  const again = await run(["network", "activate"], dataFolder);
  expect([again.exitCode, again.said]).toEqual([0, "The network has protocol version 5 already.\n"]);
});

test("network activate says why it cannot activate", async () => {
  const dataFolder = join(temporaryFolder(), "sv");
  const founding = { protocolVersion: 1n };
  await (await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES, founding })).close();
  for (const name of ["sv-3", "sv-4"]) rmSync(join(dataFolder, name, "identity.json"));
  const { exitCode, complained } = await run(["network", "activate"], dataFolder);
  const missing = (name: string) => `${name}: ${join(dataFolder, name)} has no identity`;
  expect([exitCode, complained]).toEqual([
    1,
    `callsign network activate: 3 of 4 SVs must sign, and 2 can (${missing("sv-3")}; ${missing("sv-4")})\n`,
  ]);
});

test("a command about a network that does not exist is refused", async () => {
  const { exitCode, complained } = await run(["network", "close"], temporaryFolder());
  expect([exitCode, complained.split("\n")[0]]).toEqual([2, "callsign has no command network close."]);
});
