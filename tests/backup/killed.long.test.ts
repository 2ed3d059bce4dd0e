// Processes that back up, restore and move are killed at every point at which they touch a file.

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { checkBackup, restoreBackup } from "../../packages/cli/src/backup/restore-backup.ts";
import type { StoredRole } from "../../packages/cli/src/backup/store-place.ts";
import { takeBackup } from "../../packages/cli/src/backup/take-backup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { Child } from "../support/child-process.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { fillRole, makeRole, type Rows, readRole } from "./made-up-role.ts";

const SCRIPT = join(import.meta.dirname, "killed-command.ts");
const ROWS: Rows = { orders: [["a", 1n, 0.5, new Uint8Array([7]), "b"]], notes: ["a", null], heap: [] };

interface Given {
  readonly command: "backup" | "restore" | "move";
  readonly role: StoredRole;
  readonly other?: StoredRole;
  readonly folder?: string;
}

/** The point at which the command was killed; null if it ended by itself. */
async function runKilled(at: number, { role, other, ...rest }: Given): Promise<string | null> {
  const placeOf = ({ dataFolder, store }: StoredRole) => ({
    dataFolder,
    place: { database: store.database },
  });
  const given = { ...rest, role: placeOf(role), ...(other === undefined ? {} : { other: placeOf(other) }) };
  const { code, signal, errors, output } = await new Child(SCRIPT, String(at), JSON.stringify(given)).ended;
  if (code === 0) return null;
  expect([signal, errors.replace(/.*ExperimentalWarning.*\n.*\n/g, "")]).toEqual(["SIGKILL", ""]);
  return output.trim();
}

/** Repeats the command, killed later each time, until it ends by itself. */
async function killEverywhere(given: Given): Promise<readonly string[]> {
  const points: string[] = [];
  for (let at = 1; ; at++) {
    const point = await runKilled(at, given);
    if (point === null) return points;
    points.push(point);
  }
}

test("a back-up that was killed is taken again, and the store is as it was", async (context) => {
  const role = await makeRole("SQLite", context);
  await fillRole(role, ROWS);
  const before = await readRole(role);
  const folder = join(temporaryFolder(), "backup");
  const points = await killEverywhere({ command: "backup", role, folder });
  expect(points).toEqual(
    expect.arrayContaining(["openWrite store.gz", "write backup.json", "move backup.partial"]),
  );
  await checkBackup(folder, systemHost);
  expect(await readRole(role)).toEqual(before);
});

test.for(STORE_KINDS)(
  "a restore in %s that was killed is finished by the same command",
  async (kind, context) => {
    const source = await makeRole("SQLite", context);
    await fillRole(source, ROWS);
    const wanted = await readRole(source);
    const folder = join(temporaryFolder(), "backup");
    await takeBackup(source, folder, systemHost);
    const again = { from: folder, replace: true, verify: true };
    const points: string[] = [];
    for (let at = 1; ; at++) {
      const role = await makeRole(kind, context);
      await fillRole(role, { ...ROWS, notes: [] });
      const end = await runKilled(at, { command: "restore", role, folder });
      if (end === null) break;
      points.push(end);
      await restoreBackup(role, again, systemHost);
      expect(await readRole(role)).toEqual(wanted);
      expect(await restoreBackup(role, { ...again, replace: false }, systemHost)).toMatchObject({
        kind: "same",
      });
    }
    expect(points).toContain("openRead store.gz");
    if (kind === "SQLite")
      expect(points).toEqual(
        expect.arrayContaining(["write commit.json", "move made-up.sqlite", "remove restoring"]),
      );
  },
);

test.for(STORE_KINDS)(
  "a move to %s that was killed is finished by the same command",
  async (kind, context) => {
    const from = kind === "SQLite" ? "PostgreSQL" : "SQLite";
    const [source, target] = [await makeRole(from, context), await makeRole(kind, context)];
    await fillRole(source, ROWS);
    const before = await readRole(source);
    await killEverywhere({ command: "move", role: source, other: target });
    expect(await readRole(target)).toEqual(before);
    await expect(readRole(source)).rejects.toThrow(/was moved to/);
  },
);
