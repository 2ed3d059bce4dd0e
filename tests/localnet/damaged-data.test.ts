// A data folder that is damaged, or of another program: the start fails with a reason and touches nothing.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LocalNetworkProcess, startMain } from "../support/local-network-process.ts";
import { SmallDisk } from "../support/small-disk.ts";

const TIMEOUT = { timeout: 60_000 };

async function runToEnd(...args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const { code, output, errors } = await startMain("--any-ports", "--json", ...args).ended;
  return { code, said: output + errors };
}

async function makeData(): Promise<string> {
  const folder = join(temporaryFolder(), "data");
  const network = await LocalNetworkProcess.start(folder);
  await network.validator().tap({ body: { amount: "1" } });
  await network.stop();
  return folder;
}

test.each([
  [
    "whose log is gone",
    (folder: string) => {
      for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `log.db${end}`), { force: true });
    },
    /the log ends with entry \d+, but this replica has applied \d+: restore the log's tail/,
  ],
  [
    "whose log has lost its end",
    (folder: string) => {
      const database = openDatabase(join(folder, "log.db"));
      database.exec("delete from entry where sequence = (select max(sequence) from entry)");
      database.close();
    },
    /damaged/,
  ],
  [
    "whose log is no log",
    (folder: string) =>
      writeFileSync(join(folder, "log.db"), "no database, but long enough to be looked at as one, I hope"),
    /log\.db is damaged, or no database at all/,
  ],
  [
    "one of whose SVs has lost its identity",
    (folder: string) => rmSync(join(folder, "sv-3", "identity.json")),
    /sv-3 stopped: its identity sv-3::1220\w+ is none of the network's SVs: restore identity\.json/,
  ],
  [
    "one of whose replicas is none",
    (folder: string) =>
      writeFileSync(
        join(folder, "sv-2", "replica.db"),
        "no database, but long enough to be looked at as one",
      ),
    /replica\.db is damaged, or no database at all/,
  ],
] as const)("a network %s says so, and starts with --fresh", TIMEOUT, async (_, damage, words) => {
  const folder = await makeData();
  damage(folder);
  const { code, said } = await runToEnd("--data", folder);
  expect(code).toBe(1);
  expect(said).toMatch(words);
  expect(said).toContain("--fresh");
  expect(said).not.toMatch(/\n\s+at /);
  const anew = await LocalNetworkProcess.start(folder, "--fresh");
  await anew.validator().tap({ body: { amount: "1" } });
  await anew.stop();
});

test.each([[[]], [["--fresh"]]])(
  "a folder that is not a network's is left alone: %s",
  TIMEOUT,
  async (more) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "photos"));
    writeFileSync(join(folder, "photos", "cat.txt"), "meow");
    const { code, said } = await runToEnd(...more, "--data", folder);
    expect([code, said]).toEqual([
      1,
      expect.stringContaining("has files, such as photos, but none of a local network"),
    ]);
    expect(said).not.toMatch(/\n\s+at /);
    expect(readdirSync(folder)).toEqual(["photos"]);
    expect(readFileSync(join(folder, "photos", "cat.txt"), "utf8")).toBe("meow");
  },
);

test(
  "--fresh leaves other files of the folder alone, and the folder is readable by its owner only",
  TIMEOUT,
  async () => {
    const folder = await makeData();
    writeFileSync(join(folder, "notes.txt"), "mine");
    const anew = await LocalNetworkProcess.start(folder, "--fresh");
    await anew.stop();
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
    expect(statSync(folder).mode & 0o077).toBe(0);
  },
);

test("a data folder that is a file, or lies in one, is refused with one line", TIMEOUT, async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "mine");
  for (const [folder, exitCode, words] of [
    ["", 2, "--data needs"],
    [file, 1, "is a file. Give a folder with --data."],
    [join(file, "data"), 1, "is a file. Give a folder with --data."],
  ] as const) {
    const { code, said } = await runToEnd("--data", folder);
    expect([code, said]).toEqual([exitCode, expect.stringContaining(words)]);
    expect(said).not.toMatch(/\n\s+at /);
  }
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect([existsSync("log.db"), existsSync(`${file}.log`)]).toEqual([false, false]);
});

test("a data folder that may not be written is refused with one line", TIMEOUT, (context) => {
  // Root may write everywhere but on a read-only file system.
  const disk = SmallDisk.mount(1, context);
  disk.lock();
  return Promise.all(
    [disk.folder, join(disk.folder, "data")].map(async (folder) => {
      const { code, said } = await runToEnd("--data", folder);
      expect([code, said]).toEqual([
        1,
        `The data folder ${folder} cannot be written: its file system is read-only. Give a folder of your own with --data.\n`,
      ]);
    }),
  ).then(() => undefined);
});
