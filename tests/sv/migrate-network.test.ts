// The migration of a stopped network of SVs: what it needs, what it refuses, and what a killed run leaves.

import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Host, systemHost } from "@callsign/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type MigrationConfig, migrateNetwork } from "../../packages/sv/src/migrate-network.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { rowCheck } from "../../packages/synchronizer/src/replica/row-check.ts";
import { startSvsIn } from "../support/migrated-svs.ts";
import { machineTime, testLog } from "../support/sv-nodes.ts";

const NAMES = ["sv-1", "sv-2", "sv-3", "sv-4"];
const closing: (() => void | Promise<void>)[] = [];
const folder = temporaryFolder((close) => closing.push(close));
const original = join(folder, "original");
let copies = 0;

beforeAll(async () => {
  const svs = await startSvsIn({ dataFolder: original, migrationId: 0n, names: NAMES });
  await svs.svs[0]?.moveClock(3_600_000_000n);
  await svs.settle();
  await svs.close();
}, 120_000);
afterAll(() => {
  for (const close of closing.splice(0).reverse()) close();
});

/** A copy of the stopped network. */
function stoppedNetwork(): string {
  const copy = join(folder, `copy-${copies++}`);
  cpSync(original, copy, { recursive: true });
  return copy;
}

function migrate(dataFolder: string, change: Partial<MigrationConfig> = {}, host: Host = systemHost) {
  const config = { dataFolder, migrationId: 0n, svs: NAMES, clock: machineTime, log: testLog() };
  return migrateNetwork({ ...config, ...change }, host);
}

function listFiles(dataFolder: string): readonly string[] {
  return readdirSync(dataFolder).sort();
}

function replicaOf(dataFolder: string, name: string): DatabaseSync {
  return new DatabaseSync(join(dataFolder, name, "replica.db"));
}

describe("a stopped network", () => {
  test("goes on under the next id, and from there under the one after it", async () => {
    const dataFolder = stoppedNetwork();
    const first = await migrate(dataFolder);
    expect([first.migrationId, first.logPath]).toEqual([1n, join(dataFolder, "log-1.db")]);
    const second = await migrate(dataFolder, { migrationId: 1n });
    expect([second.migrationId, second.logPath]).toEqual([2n, join(dataFolder, "log-2.db")]);
    expect(second.carried?.counts).toEqual(first.carried?.counts);
    const svs = await startSvsIn({ dataFolder, migrationId: 2n, names: NAMES });
    try {
      await svs.settle();
      const { network } = svs.svs[0]?.replica.state ?? {};
      expect([network?.migrationId, network?.protocolVersion, network?.clockOffset]).toEqual([
        2n,
        5n,
        3_600_000_000n,
      ]);
      for (const migrationId of [0n, 1n])
        await expect(startSvsIn({ dataFolder, migrationId, names: NAMES })).rejects.toThrow(
          `was migrated from id ${migrationId} to id 2: set migration.id to 2`,
        );
    } finally {
      await svs.close();
    }
  });

  test("keeps its keys, its DSO and its old log as they were", async () => {
    const dataFolder = stoppedNetwork();
    const log = new SqliteLog(join(dataFolder, "log.db"), systemHost);
    const before = await log.head();
    await log.close();
    const { carried } = await migrate(dataFolder);
    expect(carried?.from).toMatchObject(before);
    const again = new SqliteLog(join(dataFolder, "log.db"), systemHost);
    expect(await again.head()).toEqual(before);
    await again.close();
    expect(listFiles(dataFolder)).toEqual([...listFiles(original), "log-1.db"].sort());
  });

  test("founded with an id of its own goes on from that one", async () => {
    const dataFolder = join(folder, "seven");
    await (await startSvsIn({ dataFolder, migrationId: 7n, names: ["sv-1"] })).close();
    await expect(migrate(dataFolder, { svs: ["sv-1"] })).rejects.toThrow("has migration id 7, not 0");
    const { migrationId } = await migrate(dataFolder, { svs: ["sv-1"], migrationId: 7n });
    expect(migrationId).toBe(8n);
    await (await startSvsIn({ dataFolder, migrationId: 8n, names: ["sv-1"] })).close();
  });
});

/** A sound row, with another sum than the other SVs have. */
function insertReward(amount: string): string {
  return `insert or replace into minted_reward values (0, 'app', '${amount}', ${rowCheck(0, "app", amount)})`;
}

describe("a quorum", () => {
  test("of the SVs is enough: one whose replica differs does not sign, and is named", async () => {
    const dataFolder = stoppedNetwork();
    const replica = replicaOf(dataFolder, "sv-2");
    replica.exec(`delete from minted_reward; ${insertReward("1")}`);
    replica.close();
    const { carried } = await migrate(dataFolder);
    expect(carried?.signedBy).toEqual(["sv-1", "sv-3", "sv-4"]);
    expect([...(carried?.left ?? [])]).toEqual([["sv-2", "its state differs"]]);
  });

  test("is needed: two SVs with other states stop the migration", async () => {
    const dataFolder = stoppedNetwork();
    for (const [i, name] of ["sv-2", "sv-3"].entries()) {
      const replica = replicaOf(dataFolder, name);
      replica.exec(insertReward(`${i + 1}`));
      replica.close();
    }
    await expect(migrate(dataFolder)).rejects.toThrow("3 SVs with the same state are needed");
    expect(existsSync(join(dataFolder, "log-1.db"))).toBe(false);
  });

  test("does not count an SV without the identity that the network knows", async () => {
    const dataFolder = stoppedNetwork();
    rmSync(join(dataFolder, "sv-1", "identity.json"));
    const stranger = stoppedNetwork();
    cpSync(join(folder, "seven", "sv-1", "identity.json"), join(stranger, "sv-4", "identity.json"));
    expect((await migrate(dataFolder)).carried?.left.get("sv-1")).toContain("has no identity");
    expect((await migrate(stranger)).carried?.left.get("sv-4")).toContain("is none of the network's SVs");
  });

  test("of replicas is made again from the log where files are gone", async () => {
    const dataFolder = stoppedNetwork();
    for (const name of NAMES) {
      rmSync(join(dataFolder, name, "replica.db"));
      for (const rest of ["-wal", "-shm"])
        rmSync(join(dataFolder, name, `replica.db${rest}`), { force: true });
    }
    expect((await migrate(dataFolder)).carried?.signedBy).toEqual(NAMES);
  });
});

describe("a run that was killed", () => {
  test.each(["have the same state", "the new log has", "gives the same state", "move"])(
    "at '%s' leaves nothing that counts, and the next run completes the migration",
    async (point) => {
      const dataFolder = stoppedNetwork();
      const killed = new Error("killed");
      const report = (progress: string) => {
        if (progress.includes(point)) throw killed;
      };
      const move = () => {
        throw killed;
      };
      const host = point === "move" ? { ...systemHost, files: { ...systemHost.files, move } } : systemHost;
      await expect(migrate(dataFolder, { report }, host)).rejects.toThrow(killed);
      expect(existsSync(join(dataFolder, "log-1.db"))).toBe(false);
      // The id before can still be started.
      await (await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES, isQuiet: true })).close();
      expect((await migrate(dataFolder)).carried?.signedBy).toEqual(NAMES);
      expect(listFiles(dataFolder)).toEqual([...listFiles(original), "log-1.db"].sort());
    },
  );
});

describe("a migration is refused", () => {
  test("while the SVs run", async () => {
    const dataFolder = stoppedNetwork();
    const svs = await startSvsIn({ dataFolder, migrationId: 0n, names: NAMES, isQuiet: true });
    await expect(migrate(dataFolder)).rejects.toThrow("is in use by another process");
    await svs.close();
  });

  test("where there is no network", async () => {
    await expect(migrate(join(folder, "nothing"))).rejects.toThrow("there is no network in");
    expect(existsSync(join(folder, "nothing"))).toBe(false);
  });

  test("from an id that the network does not have", async () => {
    const dataFolder = stoppedNetwork();
    await expect(migrate(dataFolder, { migrationId: 3n })).rejects.toThrow("has migration id 0, not 3");
  });
});

describe("SVs do not start", () => {
  test("under an id that the network was not migrated to", async () => {
    const dataFolder = stoppedNetwork();
    await expect(startSvsIn({ dataFolder, migrationId: 1n, names: NAMES })).rejects.toThrow(
      "has migration id 0, not 1: set migration.id to 0, and then callsign network migrate leads to 1",
    );
  });

  test("on a log that is empty although the network was migrated", async () => {
    const dataFolder = stoppedNetwork();
    const { logPath } = await migrate(dataFolder);
    rmSync(logPath);
    writeFileSync(logPath, "");
    await expect(startSvsIn({ dataFolder, migrationId: 1n, names: NAMES })).rejects.toThrow(
      "does not begin with a network: restore it from a copy",
    );
  });
});
