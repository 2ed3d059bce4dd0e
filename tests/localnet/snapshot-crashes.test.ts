// A process that ends in the middle of a save, a restore or a deletion leaves one whole state behind, wherever it ends.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";
import { logPath } from "../../packages/localnet/src/data-folder.ts";
import {
  finishSnapshots,
  NetworkSnapshots,
  removeReplaced,
} from "../../packages/localnet/src/network-snapshots.ts";
import type { Host } from "../../packages/node/src/host/host.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/index.ts";
import { CrashingHost } from "../support/crashing-host.ts";

const PARTS = ["sv-1", "sv-2", "app-user/participant", "app-user/validator", "sv/participant"];

async function makeFolder(state: string): Promise<string> {
  const folder = temporaryFolder();
  for (const part of PARTS) mkdirSync(join(folder, part), { recursive: true });
  write(folder, state);
  await new SqliteLog(logPath(folder), systemHost).close();
  return folder;
}

function write(folder: string, state: string): void {
  for (const part of PARTS) writeFileSync(join(folder, part, "identity.json"), state);
}

/** The states of the parts, each once, and the names beside them. */
function read(folder: string) {
  const states = PARTS.map((part) => readFileSync(join(folder, part, "identity.json"), "utf8"));
  return { states: [...new Set(states)], names: readdirSync(folder).filter((name) => name !== "snapshots") };
}

function snapshotsOf(dataFolder: string, host: Host, start: () => Promise<void> = async () => undefined) {
  return new NetworkSnapshots({
    ...{ dataFolder, host, start, unsupported: null, log: silentLog, stop: async () => undefined },
    ...{ now: () => time("2030-01-01T00:00:00Z"), acronym: () => "cns", clockGoal: () => null },
  });
}

/** Crashes at the first effect, then at the second one, and so on until none is left, each time in a folder of its own. */
async function crashEverywhere(
  work: (snapshots: NetworkSnapshots) => Promise<unknown>,
  check: (folder: string) => void | Promise<void>,
): Promise<number> {
  const made = await makeFolder("saved");
  await snapshotsOf(made, systemHost).save("kept");
  write(made, "changed");
  for (let crashAt = 0; ; crashAt++) {
    const folder = temporaryFolder();
    cpSync(made, folder, { recursive: true });
    let visited = 0;
    const crashing = new CrashingHost({ visit: () => visited++ === crashAt });
    const done = work(snapshotsOf(folder, crashing.host)).then(() => "done");
    const end = await Promise.race([done, crashing.crashed]);
    done.catch(() => undefined);
    finishSnapshots(folder, systemHost);
    removeReplaced(folder, systemHost);
    await check(folder);
    expect(read(folder).names.toSorted()).toEqual(["app-user", "log.db", "sv", "sv-1", "sv-2"]);
    expect(readdirSync(join(folder, "snapshots")).filter((name) => name.startsWith("."))).toEqual([]);
    if (end === "done") return crashAt;
  }
}

test("a restore that crashes leaves the state before it or the one of the snapshot", async () => {
  const seen = new Set<string>();
  const crashes = await crashEverywhere(
    (snapshots) => snapshots.restore("kept").then(() => snapshots.close()),
    (folder) => {
      const { states } = read(folder);
      expect(states).toHaveLength(1);
      seen.add(states[0] ?? "");
      expect(snapshotsOf(folder, systemHost).list()).toMatchObject([{ name: "kept" }]);
    },
  );
  expect(crashes).toBeGreaterThan(10);
  expect([...seen].sort()).toEqual(["changed", "saved"]);
});

test("a save that crashes leaves the snapshot whole or not at all", async () => {
  const seen = new Set<number>();
  await crashEverywhere(
    (snapshots) => snapshots.save("next"),
    async (folder) => {
      expect(read(folder).states).toEqual(["changed"]);
      const later = snapshotsOf(folder, systemHost);
      const found = later.list().filter(({ name }) => name === "next");
      seen.add(found.length);
      if (found.length === 0) return;
      write(folder, "later");
      await later.restore("next");
      await later.close();
      expect(read(folder).states).toEqual(["changed"]);
    },
  );
  expect([...seen].sort()).toEqual([0, 1]);
});

test("a deletion that crashes leaves the snapshot whole or not at all", async () => {
  const seen = new Set<number>();
  await crashEverywhere(
    (snapshots) => snapshots.delete("kept"),
    async (folder) => {
      const later = snapshotsOf(folder, systemHost);
      const found = later.list();
      seen.add(found.length);
      if (found.length > 0) await later.restore("kept");
      await later.close();
      expect(read(folder).states).toEqual([found.length > 0 ? "saved" : "changed"]);
    },
  );
  expect([...seen].sort()).toEqual([0, 1]);
});

test("a network that does not start on a snapshot goes back to its data", async () => {
  const folder = await makeFolder("saved");
  await snapshotsOf(folder, systemHost).save("kept");
  write(folder, "changed");
  const started: (readonly string[])[] = [];
  const snapshots = snapshotsOf(folder, systemHost, async () => {
    started.push(read(folder).states);
    if (started.length === 1) throw new Error("a part is damaged");
  });
  await expect(snapshots.restore("kept")).rejects.toThrow(
    "The network does not start on the snapshot kept, and is where it was: a part is damaged.",
  );
  expect(started).toEqual([["saved"], ["changed"]]);
  expect(read(folder)).toEqual({ states: ["changed"], names: expect.not.arrayContaining(["restoring"]) });
});

test("a snapshot that lost bytes is refused, and nothing is changed", async () => {
  const folder = await makeFolder("saved");
  const snapshots = snapshotsOf(folder, systemHost, () => Promise.reject(new Error("it was stopped")));
  await snapshots.save("kept");
  write(folder, "changed");
  writeFileSync(join(folder, "snapshots/kept/data/sv-1/identity.json"), "sav");
  await expect(snapshots.restore("kept")).rejects.toThrow(
    /is damaged: .*identity\.json has 3 bytes instead of 5/,
  );
  expect(read(folder).states).toEqual(["changed"]);
});
