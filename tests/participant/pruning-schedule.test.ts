/** Pruning by a schedule, on a network whose clock is moved. */
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { type AdminClient, adminClient } from "./admin-client.ts";
import { refusalOf } from "./call.ts";
import { createPreference } from "./preferences.ts";

const HOUR = 3_600_000_000n;
/** A window every hour, which lasts until the next opens: each is used once. */
const SCHEDULE = { cron: "0 0 * * * ?", maxDuration: "1h", retention: "48h" };

async function start() {
  const network = await startSvNodes(1);
  const dataFolder = temporaryFolder();
  const participant = await newParticipant(network.sequencers, { dataFolder });
  await ready(participant);
  const alice = await newActor(participant, "alice");
  const submit = async () =>
    (await alice.client.submitAndWait({ body: createPreference(alice.party) })).completionOffset;
  const move = async (hours: bigint) => {
    await network.svs[0]?.moveClock(hours * HOUR);
    // The participant hears what time it is from what happens.
    return submit();
  };
  return { network, dataFolder, participant, alice, submit, move, admin: adminClient(participant.url) };
}

/** Waits for a window that was used so many hours after a time; answers when. */
async function windowAfter(admin: AdminClient, time: number, hours: number): Promise<number> {
  let startedAt = Number.NaN;
  await until(async () => {
    const { lastRun } = await admin.getPruningStatus();
    // Without a run it stays no number, which is never late enough.
    startedAt = Date.parse(lastRun?.startedAt ?? "");
    return startedAt >= time + hours * 3_600_000;
  }, "a window was used");
  return startedAt;
}

test("history older than the retention is pruned when a window opens, and nothing else", async () => {
  const { admin, submit, move, participant } = await start();
  const old = await submit();
  expect(await admin.setPruningSchedule({ body: SCHEDULE })).toEqual({ schedule: SCHEDULE });
  const first = await windowAfter(admin, 0, 0);
  // A day later nothing is old enough.
  const day = await move(24n);
  await windowAfter(admin, first, 24);
  expect((await admin.getPruningStatus()).prunedUpToInclusive).toBe(0);
  // Two days and a bit after the first, the second is not yet that old.
  await move(25n);
  await windowAfter(admin, first, 49);
  const { prunedUpToInclusive, isRunning, lastRun, nextRunAt } = await admin.getPruningStatus();
  expect([prunedUpToInclusive, isRunning, day]).toEqual([old, false, old + 1]);
  expect(lastRun?.prunedUpToInclusive).toBe(old);
  expect(nextRunAt).toMatch(/:00:00(\.0+)?Z$/);
  expect(Date.parse(nextRunAt ?? "")).toBeGreaterThan(Date.parse(lastRun?.endedAt ?? ""));
  expect((await participant.admin.getLatestPrunedOffsets()).participantPrunedUpToInclusive).toBe(old);
});

test("nothing is pruned without a schedule, or after the schedule was cleared", async () => {
  const { admin, move } = await start();
  await admin.setPruningSchedule({ body: { ...SCHEDULE, retention: "365d" } });
  await move(49n);
  expect(await admin.clearPruningSchedule()).toEqual({});
  expect(await admin.getPruningSchedule()).toEqual({ schedule: null });
  await move(24n * 366n);
  const offset = await move(49n);
  expect(await admin.getPruningStatus()).toMatchObject({
    prunedUpToInclusive: 0,
    schedule: null,
    nextRunAt: null,
  });
  // The same ledger with a schedule: it was not for want of something old.
  await admin.setPruningSchedule({ body: SCHEDULE });
  await until(async () => (await admin.getPruningStatus()).prunedUpToInclusive > 0, "it was pruned");
  expect((await admin.getPruningStatus()).prunedUpToInclusive).toBeLessThan(offset);
});

test("a schedule survives a restart, and a window that is open then is used", async () => {
  const { admin, submit, participant, network, dataFolder } = await start();
  const last = await submit();
  await admin.setPruningSchedule({ body: SCHEDULE });
  await participant.close();
  await network.svs[0]?.moveClock(49n * HOUR);
  const again = adminClient((await newParticipant(network.sequencers, { dataFolder })).url);
  expect(await again.getPruningSchedule()).toEqual({ schedule: SCHEDULE });
  // The last item of the ledger is never pruned.
  const isPruned = async () => (await again.getPruningStatus()).prunedUpToInclusive === last - 1;
  await until(isPruned, "it was pruned");
});

test.each([
  [{ cron: "* * * * * *" }, /exactly one/],
  [{ cron: "0 0 0 31 2 ?" }, /never comes/],
  [{ cron: "0 0 0 1 1 ? 1999" }, /lies in the past/],
  [{ maxDuration: "5" }, /maxDuration.*"5"/],
  [{ retention: "0h" }, /retention.*"0h"/],
])("%o is refused, and what was set stays", async (change, why) => {
  const { admin } = await start();
  await admin.setPruningSchedule({ body: SCHEDULE });
  const refused = await refusalOf(admin.setPruningSchedule({ body: { ...SCHEDULE, ...change } }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_FIELD" });
  expect(refused.cause).toMatch(why);
  expect(await admin.getPruningSchedule()).toEqual({ schedule: SCHEDULE });
});
