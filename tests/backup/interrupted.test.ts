// A back-up, restore or move that ends anywhere leaves everything as it was, or is finished by the same call.

import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { moveStore } from "../../packages/cli/src/backup/move-store.ts";
import { checkBackup, restoreBackup } from "../../packages/cli/src/backup/restore-backup.ts";
import { takeBackup } from "../../packages/cli/src/backup/take-backup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { fillRole, makeRole, openRole, type Rows, readRole } from "./made-up-role.ts";
import { stoppedHost } from "./stopped-host.ts";

const rowsOf = (name: string): Rows => ({
  orders: [[name, 1n, 0.5, new Uint8Array([7]), null]],
  notes: ["a"],
  heap: [],
});

class Stopped extends Error {}

/** Runs the work on hosts that stop it at their first point, their second and so on, until it is done. */
async function stopEverywhere(
  work: (host: ReturnType<typeof stoppedHost>) => Promise<unknown>,
  check: (point: string) => Promise<void>,
): Promise<readonly string[]> {
  const points: string[] = [];
  for (let at = 1; ; at++) {
    const host = stoppedHost(at, (point) => {
      points.push(point);
      throw new Stopped(point);
    });
    try {
      await work(host);
      return points;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      await check(error.message);
    }
  }
}

test("a back-up is whole or not there", async (context) => {
  const role = await makeRole("SQLite", context);
  await fillRole(role, rowsOf("a"));
  const folder = join(temporaryFolder(), "backup");
  const points = await stopEverywhere(
    (host) => takeBackup(role, folder, host),
    async () => expect(systemHost.files.list(folder)).toEqual([]),
  );
  expect(points).toEqual(
    expect.arrayContaining(["openWrite store.gz", "write backup.json", "move backup.partial"]),
  );
  await checkBackup(folder, systemHost);
});

test("a restore leaves the store as it was, or is finished by the same call before a start is possible", async (context) => {
  const source = await makeRole("SQLite", context);
  await fillRole(source, rowsOf("new"));
  const wanted = await readRole(source);
  const folder = join(temporaryFolder(), "backup");
  await takeBackup(source, folder, systemHost);
  const restore = { from: folder, replace: true, verify: true };
  const outcomes: string[] = [];
  for (let isStopped = true, at = 1; isStopped; at++) {
    const target = await makeRole("SQLite", context);
    await fillRole(target, rowsOf("old"));
    const before = await readRole(target);
    isStopped = false;
    const host = stoppedHost(at, (point) => {
      isStopped = true;
      throw new Stopped(point);
    });
    const stopped = await restoreBackup(target, restore, host).catch((error: Error) => error);
    if (stopped instanceof Stopped) {
      const found = await readRole(target).catch((error: Error) => error.message);
      if (typeof found === "string")
        expect(found).toMatch(/a restore into .* was interrupted: run the same restore/);
      else expect(found).toEqual(before);
      outcomes.push(`${stopped.message}: ${typeof found === "string" ? "refused" : "as before"}`);
      await restoreBackup(target, restore, systemHost);
    }
    expect(await readRole(target)).toEqual(wanted);
    const kept = systemHost.files.list(target.dataFolder).filter((name) => name.startsWith("replaced-"));
    expect(kept).toHaveLength(1);
    expect(await readRole({ ...target, dataFolder: join(target.dataFolder, String(kept[0])) })).toEqual(
      before,
    );
  }
  expect(outcomes).toEqual(
    expect.arrayContaining([
      "write commit.json: as before",
      "move made-up.sqlite: refused",
      "move identity.json: refused",
      "remove restoring: refused",
    ]),
  );
});

test("a move marks the old store last, and the same call finishes it", async (context) => {
  const [source, target] = [await makeRole("SQLite", context), await makeRole("PostgreSQL", context)];
  await fillRole(source, rowsOf("a"));
  const wanted = await readRole(source);
  const points = await stopEverywhere(
    (host) => moveStore(source, target, { replace: false, host }),
    async (point) => {
      if (
        point !== "remove moving" ||
        systemHost.files.read(join(source.dataFolder, "made-up.sqlite.moved")) === null
      )
        expect(await readRole(source)).toEqual(wanted);
    },
  );
  expect(points).toEqual(expect.arrayContaining(["openWrite store.gz", "write made-up.sqlite.moved"]));
  expect(await readRole(target)).toEqual(wanted);
  await expect(openRole(source)).rejects.toThrow(
    /made-up\.sqlite was moved to schema .* of the PostgreSQL database/,
  );
  // Back again: the old file is kept aside, and the schema takes no start.
  const back = await moveStore(target, source, { replace: true, host: systemHost });
  expect(back).toMatchObject({ kind: "restored", replaced: expect.stringContaining("replaced-") });
  expect(await readRole(source)).toEqual(wanted);
  await expect(openRole(target)).rejects.toThrow(/schema ".*" was moved to .*made-up\.sqlite/);
  await expect(moveStore(source, source, { replace: true, host: systemHost })).rejects.toThrow(
    /nothing to move/,
  );
});
