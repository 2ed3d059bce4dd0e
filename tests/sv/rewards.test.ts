/** Rewards from tick to tick: every coupon is minted or expired once, all of a round's coin is accounted for. */

import { expect, test } from "vitest";
import {
  ClosedMiningRound,
  Confirmation,
  type Decimal,
  IssuingMiningRound,
  MemberTraffic,
  SummarizingMiningRound,
  SvRewardCoupon,
  SvRewardState,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { allCoin, startAll, stopAll } from "./network-views.ts";
import { buyTraffic, expectSoundRounds, mintSvCoupons, numbers } from "./rewards.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { Wallet } from "./wallet.ts";

const TICK = 10n * MINUTE;
/** 40 billion a year, by the tick. */
const ISSUED_IN_ROUND = decimal("761035.0076103501");
const WEIGHT = 10_000n;

/** Every SV has received its coupon for the first round. */
async function foundAndSettled(options: Parameters<typeof SvNetwork.found>[0] = {}): Promise<SvNetwork> {
  const network = await SvNetwork.found(options);
  await network.settle();
  return network;
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** The issuance of the rounds so far is minted, can be minted still, or was not claimed. */
function expectAllAccountedFor(network: SvNetwork, minted: bigint): void {
  const rounds = network.active(IssuingMiningRound).map(({ payload }) => payload);
  const mintable = network.active(SvRewardCoupon).map(({ payload }) => {
    const round = rounds.find((other) => other.round.number === payload.round.number);
    return payload.weight * (round?.issuancePerSvRewardCoupon ?? 0n);
  });
  const unclaimed = network.active(UnclaimedReward).map(({ payload }) => payload.amount);
  const fund = network.active(UnclaimedDevelopmentFundCoupon).map(({ payload }) => payload.amount);
  const accounted = minted + total(mintable) + total(unclaimed) + total(fund);
  const issued = ISSUED_IN_ROUND * BigInt(network.countCreated(IssuingMiningRound));
  const difference = accounted > issued ? accounted - issued : issued - accounted;
  // A last digit for each unit of weight, at most.
  expect(difference < decimal("0.0001")).toBe(true);
}

function couponsByRound(network: SvNetwork, sv: UnservedSv): readonly bigint[] {
  const mine = network.everCreated(SvRewardCoupon).filter((coupon) => coupon.sv === sv.party);
  return mine.map(({ round }) => round.number);
}

test("over many ticks nothing piles up, and all that rounds issue is minted or put down as unclaimed", async () => {
  const network = await foundAndSettled();
  let minted = 0n;
  for (let i = 0; i < 25; i++) {
    await network.moveAndSettle(TICK);
    // The first two mint what they get; the others leave it until it expires.
    for (const sv of network.svs.slice(0, 2)) minted += await mintSvCoupons(network, sv);
    await network.settle();
    expectSoundRounds(network);
    expectAllAccountedFor(network, minted);
    expect(network.active(SummarizingMiningRound)).toEqual([]);
    expect(network.active(ClosedMiningRound)).toEqual([]);
    expect(network.active(IssuingMiningRound).length).toBeLessThanOrEqual(4);
    expect(network.active(UnclaimedReward).length).toBeLessThanOrEqual(10);
    expect(network.active(UnclaimedDevelopmentFundCoupon).length).toBeLessThanOrEqual(10);
    expect(network.active(SvRewardCoupon).length).toBeLessThanOrEqual(4 * 8);
  }
  expect(network.countCreated(ClosedMiningRound)).toBeGreaterThan(15);
  expect(minted).toBeGreaterThan(0n);
  expect(allCoin(network)).toBe(minted as Decimal);
  for (const sv of network.svs) {
    const rounds = couponsByRound(network, sv);
    expect(rounds).toEqual(rounds.map((_, i) => BigInt(i)));
    expect(rounds.length).toBeGreaterThan(20);
  }
  const weights = network.everCreated(SvRewardCoupon).map(({ weight }) => weight);
  expect(new Set(weights)).toEqual(new Set([WEIGHT]));
  for (const { payload } of network.active(SvRewardState)) expect(payload.state.numRoundsMissed).toBe(0n);
  // Confirmations that nobody needed lapse, and go.
  await network.moveAndSettle(61n * MINUTE);
  await network.moveAndSettle(61n * MINUTE);
  const lapsed = network.active(Confirmation).filter(({ payload }) => payload.expiresAt <= network.now);
  expect(lapsed).toEqual([]);
  network.expectNothingStuck();
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectAgreement();
});

test("an SV that was away misses its rounds, and nobody else does", async () => {
  const network = await foundAndSettled({ folder: temporaryFolder() });
  await network.moveAndSettle(TICK);
  const others = network.svs.filter((_, i) => i !== 1);
  await network.restart(1, async () => {
    for (let i = 0; i < 8; i++) {
      await network.moveClock(TICK);
      await network.settle(others);
      expectSoundRounds(network);
    }
  });
  for (let i = 0; i < 6; i++) {
    await network.moveAndSettle(TICK);
    expectSoundRounds(network);
  }
  const all = couponsByRound(network, network.first);
  expect(all).toEqual(all.map((_, i) => BigInt(i)));
  const some = couponsByRound(network, network.svs[1] as UnservedSv);
  expect(new Set(some).size).toBe(some.length);
  expect(some.length).toBeLessThan(all.length);
  expect(some.at(-1)).toBe(all.at(-1));
  expectAllAccountedFor(network, 0n);
  network.expectAgreement();
});

test("two instances of every SV receive and expire once", async () => {
  const network = await foundAndSettled();
  const twins = network.svs.map((sv) => sv.newAutomation());
  for (const twin of twins) twin.start();
  for (let i = 0; i < 8; i++) {
    await network.moveAndSettle(TICK);
    await Promise.all(twins.map((twin) => twin.idle()));
    await network.settle();
    expectSoundRounds(network);
    expectAllAccountedFor(network, 0n);
  }
  for (const twin of twins) await twin.stop();
  for (const sv of network.svs) {
    const rounds = couponsByRound(network, sv);
    expect(rounds).toEqual(rounds.map((_, i) => BigInt(i)));
  }
  network.expectAgreement();
});

test("a jump of the clock over many ticks leaves nothing behind", async () => {
  const network = await foundAndSettled();
  for (let i = 0; i < 5; i++) {
    await network.moveAndSettle(100n * HOUR);
    expectSoundRounds(network);
    expectAllAccountedFor(network, 0n);
  }
  expect(numbers(network.active(IssuingMiningRound))).toHaveLength(1);
  expect(network.active(ClosedMiningRound)).toEqual([]);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("a member's traffic is merged once there are more contracts than the rules say", async () => {
  const network = await foundAndSettled();
  const buyer = await Wallet.open(network, "buyer");
  const other = await Wallet.open(network, "other");
  await buyer.tap(decimal("20000.0"));
  await other.tap(decimal("20000.0"));
  await buyTraffic(other);
  for (let i = 0; i < 5; i++) await buyTraffic(buyer);
  await network.settle();
  expect(network.active(MemberTraffic)).toHaveLength(6);
  await buyTraffic(buyer);
  await network.settle();
  const merged = network.active(MemberTraffic).map(({ payload }) => payload);
  expect(merged.map(({ numPurchases, totalPurchased }) => [numPurchases, totalPurchased])).toEqual([
    [1n, 200_000n],
    [6n, 1_200_000n],
  ]);
  expect(network.countCreated(MemberTraffic)).toBe(8);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("SVs that start late merge the traffic contracts that have piled up", async () => {
  const network = await foundAndSettled();
  const buyer = await Wallet.open(network, "buyer");
  await buyer.tap(decimal("20000.0"));
  await network.settle();
  await stopAll(network);
  for (let i = 0; i < 7; i++) await buyTraffic(buyer);
  for (const sv of network.svs) {
    sv.automation = sv.newAutomation();
    sv.automation.start();
  }
  await network.settle();
  expect(network.active(MemberTraffic).map(({ payload }) => payload.numPurchases)).toEqual([1n, 6n]);
});

test("traffic contracts that have piled up are merged a hundred at a time", async () => {
  const network = await foundAndSettled();
  const buyer = await Wallet.open(network, "buyer");
  await buyer.tap(decimal("100000.0"));
  await network.settle();
  await stopAll(network);
  for (let i = 0; i < 103; i++) await buyTraffic(buyer);
  await startAll(network);
  expect(network.active(MemberTraffic).map(({ payload }) => payload.numPurchases)).toEqual([
    1n,
    1n,
    1n,
    100n,
  ]);
  expect(network.races()).toMatchObject({ failed: 0 });
});
