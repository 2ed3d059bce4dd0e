// Moves of the clock: names live through moves of any length, long moves show their progress, and a kill in one does no harm.

import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { formatTime, parseTime, type Time } from "../../packages/ledger/src/values/time.ts";
import { ClockMoves } from "../../packages/localnet/src/clock-moves.ts";
import { mountDevelopment } from "../../packages/localnet/src/development-api.ts";
import { MOVE_ANSWER_MILLISECONDS } from "../../packages/localnet/src/limits.ts";
import { NetworkSnapshots } from "../../packages/localnet/src/network-snapshots.ts";
import { HealthChecks } from "../../packages/localnet/src/readiness.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { VirtualHost } from "../../packages/node/testing/virtual-host.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { LocalNetworkProcess } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { serveMount } from "../support/serve-mount.ts";

const TIMEOUT = { timeout: 300_000 };
const NAME = "steady.unverified.cns";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
  await world.tap("app-user", "100");
  await world.buy("app-user", "steady");
}, 120_000);
afterAll(() => world?.close());

async function endOf(network: LocalNetwork, name: string): Promise<Time> {
  const { entry } = await network.scan().lookupAnsEntryByName({ params: { name } });
  const end = parseTime(entry.expires_at ?? "");
  if (!end.ok) throw new Error(end.error);
  return end.value;
}

test(
  "a name with automatic renewal and coin lives through a single move of any length",
  TIMEOUT,
  async () => {
    const random = new Random(seed);
    const first = await endOf(world, NAME);
    // One longer than all the time a name is paid for, and some at random.
    for (const days of [121, random.between(1, 60), random.between(60, 100)]) {
      const before = world.net.now();
      const after = await world.net.moveClock(BigInt(days) * DAY + BigInt(random.below(86_400_000)) * 1000n);
      expect(after - before).toBeGreaterThanOrEqual(BigInt(days) * DAY);
      const end = await endOf(world, NAME);
      // Renewed in its window and never late: whole periods after the first one, and the next one is not due yet.
      expect((end - first) % (90n * DAY)).toBe(0n);
      expect(end - after).toBeGreaterThan(30n * DAY);
      expect(end - after).toBeLessThanOrEqual(120n * DAY);
    }
    expect(await world.owned("app-user")).toEqual([NAME]);
  },
);

test(
  "a long move is answered with 202, shows its progress, and refuses another one until it is done",
  TIMEOUT,
  async () => {
    const virtual = new VirtualHost();
    const holding = Promise.withResolvers<void>();
    let settled = 0;
    const clockMoves = new ClockMoves({
      svs: world.net.svs,
      validators: () => Object.values(world.net.nodes).map(({ validator }) => validator),
      // The second wait is the one after the first stop.
      settle: async () => {
        await world.net.settle();
        if (++settled === 2) await holding.promise;
      },
    });
    const health = new HealthChecks([], systemHost);
    onTestFinished(() => health.close());
    const snapshots = new NetworkSnapshots({
      ...{ dataFolder: world.folder, unsupported: null, now: world.net.now, acronym: () => "cns" },
      ...{ clockGoal: () => null, stop: async () => undefined, start: async () => undefined },
      ...{ host: systemHost, log: silentLog },
    });
    const { url } = await serveMount(
      mountDevelopment({
        ...{ health: () => health, now: world.net.now, clockMoves: () => clockMoves, snapshots },
        ...{ timers: virtual.timers, svs: [], users: [] },
        ...{ listScanBehaviours: () => [], setScanBehaviour: () => undefined },
      }),
    );
    const clock = `${url}/ext/v1/clock`;
    const move = (forwardSeconds: number) =>
      fetch(clock, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ forwardSeconds }),
      });
    const from = world.net.now();
    const asked = move(20 * 86_400);
    await until(() => settled === 2, "the move stands at its first stop", 60_000);
    await virtual.advance(MOVE_ANSWER_MILLISECONDS);
    const answer = await asked;
    expect([answer.status, answer.headers.get("location")]).toEqual([202, "/ext/v1/clock"]);
    const shown = (await answer.json()) as {
      time: string;
      move: { from: string; to: string; failure: null };
    };
    expect(shown.move.failure).toBeNull();
    expect(Date.parse(shown.move.to) - Date.parse(shown.move.from)).toBe(20 * 86_400_000);
    expect(shown.time > formatTime(from)).toBe(true);
    expect(await (await fetch(clock)).json()).toMatchObject({ move: shown.move });
    const second = await move(1);
    expect([second.status, await second.text()]).toEqual([
      409,
      expect.stringContaining("The clock is on its way to"),
    ]);
    holding.resolve();
    await until(() => clockMoves.current === null, "the move is done", 60_000);
    expect(Object.keys((await (await fetch(clock)).json()) as object)).toEqual(["time"]);
    const third = await move(1);
    expect([third.status, Object.keys((await third.json()) as object)]).toEqual([200, ["time"]]);
  },
);

test("a move that fails is shown until the next one", TIMEOUT, async () => {
  let isBroken = true;
  const clockMoves = new ClockMoves({
    svs: world.net.svs,
    validators: () => [],
    settle: async () => {
      if (isBroken) throw new Error("an automation is stuck");
    },
  });
  await expect(clockMoves.move(1n)).rejects.toThrow("stuck");
  expect(clockMoves.current).toMatchObject({ failure: "an automation is stuck" });
  isBroken = false;
  await clockMoves.move(1n);
  expect(clockMoves.current).toBeNull();
});

test("a move that is told to stops in every round, so that rewards are minted", TIMEOUT, async () => {
  const rich = await LocalNetwork.start({ pausedAutomations: [] });
  onTestFinished(() => rich.close());
  const before = await rich.unlocked("app-user");
  await rich.net.moveClock(3_600_000_000n, { everyRound: true });
  expect(await rich.unlocked("app-user")).toBeGreaterThan(before);
});

test("a network that is killed in the middle of a long move goes on from there", TIMEOUT, async () => {
  const folder = join(temporaryFolder(), "data");
  const killed = await LocalNetworkProcess.start(folder);
  const wallet = killed.validator();
  await wallet.tap({ body: { amount: "100" } });
  const { subscriptionRequestCid } = await wallet.createAnsEntry({
    body: { name: "steady", url: "", description: "" },
  });
  await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  await killed.settle();
  const clock = `${killed.addresses.developmentUrl}/ext/v1/clock`;
  const read = async () => (await (await fetch(clock)).json()) as { time: string; move?: { to: string } };
  const start = Date.parse((await read()).time);
  const moving = killed.moveClock(2 * 365 * 86_400).catch(() => undefined);
  const isUnderWay = async () => Date.parse((await read()).time) > start + 70 * 86_400_000;
  await until(isUnderWay, "the clock is past the first renewal", 120_000);
  await killed.kill();
  await moving;
  const again = await LocalNetwork.start({ dataFolder: folder });
  onTestFinished(() => again.close());
  const stands = Number(again.net.now() / 1000n);
  expect(stands).toBeGreaterThan(start + 70 * 86_400_000);
  expect(stands).toBeLessThan(start + 2 * 365 * 86_400_000);
  await again.net.settle();
  expect(await again.owned("app-user")).toEqual([NAME]);
  expect((await endOf(again, NAME)) > again.net.now()).toBe(true);
  expect(await again.digestsAgree()).toBe(true);
});
