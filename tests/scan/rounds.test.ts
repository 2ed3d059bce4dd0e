import { expect, test } from "vitest";
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { defaultAmuletConfig } from "../../packages/ledger/src/contracts/splice-amulet/rules/default-amulet-config.ts";
import { onAmuletRules } from "../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import { decimal, formatDecimal } from "../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import {
  type AmuletConfigOfRound,
  amuletConfigOf,
} from "../../packages/scan/src/rounds/amulet-config-of-round.ts";
import { findCurrentRounds } from "../../packages/scan/src/rounds/current-rounds.ts";
import { HISTORIC_FEES } from "./historic-fees.ts";
import { ScannedWorld } from "./name-world.ts";

/** With the ten digits of the API. */
function digits(config: AmuletConfigOfRound | undefined) {
  if (config === undefined) return undefined;
  const { createFee, holdingFee, lockHolderFee, transferFee } = config;
  return {
    create: formatDecimal(createFee),
    holding: formatDecimal(holdingFee),
    lock: formatDecimal(lockHolderFee),
    initial: formatDecimal(transferFee.initial),
    steps: transferFee.steps.map(({ amount, rate }) => [formatDecimal(amount), formatDecimal(rate)]),
  };
}

const ZERO = "0.0000000000";
const AT_0_005 = { create: ZERO, holding: "0.0038051800", lock: ZERO, initial: ZERO, steps: [] };

test("fees in dollars are divided by the round's price, and rates are left alone", () => {
  const { transferConfig } = defaultAmuletConfig("global-domain::1220aa");
  const historic = { ...transferConfig, ...HISTORIC_FEES };
  expect(digits(amuletConfigOf(historic, decimal("0.005")))).toEqual({
    create: "6.0000000000",
    holding: "0.0038051800",
    lock: "1.0000000000",
    initial: "0.0100000000",
    steps: [
      ["20000.0000000000", "0.0010000000"],
      ["200000.0000000000", "0.0001000000"],
      ["200000000.0000000000", "0.0000100000"],
    ],
  });
  // 0.0000190259 ÷ 0.3 = 0.00006341966…, and 0.03 ÷ 0.3 = 0.1.
  expect(digits(amuletConfigOf(historic, decimal("0.3")))).toMatchObject({
    create: "0.1000000000",
    holding: "0.0000634197",
  });
});

test("a round's config is known from its announcement on, and for ever", async () => {
  const world = new ScannedWorld();
  const { index } = await world.scan();
  for (const round of [0n, 1n, 2n]) expect(digits(index.openedRounds.findConfig(round))).toEqual(AT_0_005);
  expect(index.openedRounds.findConfig(3n)).toBeUndefined();
  expect(index.openedRounds.findConfig(-1n)).toBeUndefined();
  for (const sv of world.dso.svs) sv.vote(decimal("0.01"));
  for (let i = 0; i < 4; i++) {
    world.network.advance(20n * MINUTE);
    world.dso.advanceRounds();
  }
  await world.scan();
  expect(world.network.active(OpenMiningRound).map(({ payload }) => payload.round.number)).toEqual([
    4n,
    5n,
    6n,
  ]);
  expect(digits(index.openedRounds.findConfig(0n))).toEqual(AT_0_005);
  expect(digits(index.openedRounds.findConfig(2n))).toEqual(AT_0_005);
  // Twice the price, half the coin: 0.0000190259 ÷ 0.01.
  expect(digits(index.openedRounds.findConfig(6n))).toEqual({ ...AT_0_005, holding: "0.0019025900" });
});

test("without a number the config is that of the highest round whose time to open has come", async () => {
  const world = new ScannedWorld();
  for (const sv of world.dso.svs) sv.vote(decimal("0.01"));
  world.network.advance(20n * MINUTE);
  world.dso.advanceRounds();
  const { index } = await world.scan();
  const newest = world.network.active(OpenMiningRound).at(-1)?.payload;
  if (newest === undefined) throw new Error("there is no round");
  expect(newest.round.number).toBe(3n);
  const atOpening = index.openedRounds.findLatestConfig(newest.opensAt);
  const before = index.openedRounds.findLatestConfig(addDuration(newest.opensAt, -1n));
  expect(digits(atOpening)?.holding).toBe("0.0019025900");
  expect(digits(before)?.holding).toBe("0.0038051800");
});

test("before the first round opens there is no config", async () => {
  const world = new ScannedWorld();
  const { index } = await world.scan();
  const opensAt = world.network.active(OpenMiningRound)[0]?.payload.opensAt ?? world.network.now;
  expect(index.openedRounds.findLatestConfig(opensAt)).toBeDefined();
  expect(index.openedRounds.findLatestConfig(addDuration(opensAt, -1n))).toBeUndefined();
});

test("a client may keep the rounds for the shortest tick of those that are not closed", async () => {
  const { synchronizerId } = new SimulatedNetwork().network;
  const amuletConfig = { ...defaultAmuletConfig(synchronizerId), tickDuration: relTime(7n * MINUTE) };
  const world = new ScannedWorld({ founding: { amuletConfig } });
  expect(findCurrentRounds(world.node.index.contracts)).toBeUndefined();
  const { index } = await world.scan();
  const rounds = findCurrentRounds(index.contracts);
  expect(rounds?.timeToLiveMicroseconds).toBe(7n * MINUTE);
  expect(rounds?.open.map(({ payload }) => payload.round.number)).toEqual([0n, 1n, 2n]);
  expect(rounds?.issuing).toEqual([]);
});

test("a round that issues rewards is shown, and counts with half the time it is open", async () => {
  const { synchronizerId } = new SimulatedNetwork().network;
  const usual = defaultAmuletConfig(synchronizerId);
  const short = { ...usual, tickDuration: relTime(4n * MINUTE) };
  const world = new ScannedWorld({ founding: { amuletConfig: short } });
  const economy = new EconomyDso(world.dso);
  // From here on ticks are longer; rounds that are there keep theirs.
  const longer = { ...short, tickDuration: relTime(9n * MINUTE) };
  economy.agree(onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig: longer, baseConfig: short } }));
  for (let i = 0; i < 3; i++) economy.nextRound();
  const { index } = await world.scan();
  const { network } = world;
  const issuing = network.active(IssuingMiningRound, network.dso);
  const rounds = findCurrentRounds(index.contracts);
  expect(rounds?.issuing.map(({ contract }) => contract.contractId)).toEqual(
    issuing.map(({ contractId }) => contractId),
  );
  expect(rounds?.issuing.at(-1)?.payload.round.number).toBe(2n);
  expect(rounds?.open.map(({ payload }) => payload.tickDuration.microseconds)).toEqual(
    [3n, 4n, 5n].map(() => 9n * MINUTE),
  );
  expect(rounds?.timeToLiveMicroseconds).toBe(4n * MINUTE);
});

test("a round counts once it and all before it are closed", async () => {
  const world = new ScannedWorld();
  const economy = new EconomyDso(world.dso);
  const counted = async () => {
    const { index } = await world.scan();
    return [-1n, 0n, 1n, 2n].map((round) => index.rewards.findByRound(round));
  };
  const none = [undefined, undefined, undefined, undefined];
  expect(await counted()).toEqual(none);
  // Round 1 issues and closes; round 0 is left as it is.
  for (let i = 0; i < 6; i++) economy.nextRound((round) => round === 1n);
  const closed = world.network.active(ClosedMiningRound, world.network.dso);
  expect(closed.map(({ payload }) => payload.round.number)).toEqual([1n]);
  expect(await counted()).toEqual(none);
  for (let i = 0; i < 5; i++) economy.nextRound((round) => round === 0n);
  expect(await counted()).toEqual([0n, 0n, 0n, undefined]);
  expect(world.node.index.rewards.total()).toBe(0n);
});

test("nothing has been collected, and no round counts while its rewards may still be minted", async () => {
  const world = new ScannedWorld();
  const { rewards } = world.node.index;
  expect(rewards.total()).toBe(0n);
  expect(rewards.findByRound(0n)).toBeUndefined();
  for (let i = 0; i < 3; i++) {
    world.network.advance(20n * MINUTE);
    world.dso.advanceRounds();
  }
  await world.scan();
  expect(rewards.total()).toBe(0n);
  for (const round of [-1n, 0n, 2n, 5n, 99n]) expect(rewards.findByRound(round)).toBeUndefined();
});
