/** The back-up of an SV whose log was pruned has a snapshot, from which the restored SV makes its replica. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runWith } from "../cli/run-here.ts";
import type { Values } from "../cli/setup-kit.ts";
import { DaysNetwork } from "../support/days-network.ts";
import { provenOf } from "../sv/lost-sv.ts";

const CONFIG = { retentionMicroseconds: DAY };

const valuesOf = (dataFolder: string): Values => ({
  svs: [{ name: "sv-1" }],
  disableAuth: true,
  callsign: { dataFolder, log: { level: "ERROR" } },
});

/** A stopped SV, whose log begins behind its first entries. */
async function prunedSv() {
  const network = await DaysNetwork.found(1, { config: CONFIG });
  for (let day = 0; day < 3; day++) await network.passDay();
  await network.prune();
  const { folder, offset } = network;
  const start = (await network.log.start()).sequence;
  expect(start).toBeGreaterThan(0);
  const { head } = network.svs[0]?.replica.state ?? {};
  const [sv] = network.svs;
  const snapshot = `snapshot-${sv === undefined ? 0 : provenOf(sv)}.db`;
  await network.close();
  return { folder, offset, start, head, snapshot };
}

test("a back-up of a pruned log is restored with its snapshot, and the SV goes on", async () => {
  const { folder, offset, start, head, snapshot } = await prunedSv();
  const backup = join(temporaryFolder(), "backup");
  const taken = await runWith(["backup", "--to", backup], { files: [valuesOf(folder)] });
  expect([taken.exitCode, taken.complained]).toEqual([0, ""]);
  expect(readdirSync(join(backup, "sv-1")).sort()).toEqual(["identity.json", snapshot]);
  const restored = join(temporaryFolder(), "restored");
  const done = await runWith(["restore", "--from", backup, "--verify"], { files: [valuesOf(restored)] });
  expect([done.exitCode, done.complained]).toEqual([0, ""]);
  const again = await DaysNetwork.reopen(1, { folder: restored, offset, config: CONFIG });
  const [sv] = again.svs;
  if (sv === undefined) throw new Error("no SV is open");
  expect((await again.log.start()).sequence).toBe(start);
  expect(sv.replica.state.head.sequence).toBeGreaterThanOrEqual(head?.sequence ?? 0);
  await again.passDay();
  expect(await sv.scrub.finishRound()).toBe(null);
  await again.close();
});

test("a back-up of a pruned log without a snapshot is refused, and says what to do", async () => {
  const { folder, start, snapshot } = await prunedSv();
  rmSync(join(folder, "sv-1", snapshot));
  const backup = join(temporaryFolder(), "backup");
  const taken = await runWith(["backup", "--to", backup], { files: [valuesOf(folder)] });
  expect(taken.exitCode).toBe(1);
  expect(taken.complained).toContain(
    `the log begins behind entry ${start}, and no SV of ${folder} has a snapshot`,
  );
  expect(taken.complained).toContain("wait for the next day's snapshot, and back up again");
});

test("a snapshot that was cut in the back-up is found before anything is restored", async () => {
  const { folder, snapshot } = await prunedSv();
  const backup = join(temporaryFolder(), "backup");
  await runWith(["backup", "--to", backup], { files: [valuesOf(folder)] });
  writeFileSync(join(backup, "sv-1", snapshot), "cut");
  const restored = join(temporaryFolder(), "restored");
  const done = await runWith(["restore", "--from", backup], { files: [valuesOf(restored)] });
  expect(done.exitCode).toBe(1);
  expect(done.complained).toContain(`${snapshot} is damaged: it is not as the back-up left it`);
});
