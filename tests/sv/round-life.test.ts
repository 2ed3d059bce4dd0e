/** The life of rounds, from tick to tick: what all SVs see to, and what one or two of them cannot disturb. */

import { expect, test } from "vitest";
import {
  ClosedMiningRound,
  Confirmation,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { buyTraffic, expectSoundRounds, numbers } from "./rewards.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { Wallet } from "./wallet.ts";

async function withBuyer(): Promise<{ network: SvNetwork; buyer: Wallet }> {
  const network = await SvNetwork.found();
  const buyer = await Wallet.open(network, "buyer");
  await buyer.tap(decimal("20000.0"));
  return { network, buyer };
}

/** The totals that were confirmed for a round, once for each confirmation. */
function confirmedTotals(network: SvNetwork) {
  return network.everCreated(Confirmation).flatMap(({ action }) => {
    if (action.tag !== "ARC_AmuletRules") return [];
    const { tag, value } = action.value.amuletRulesAction;
    return tag === "CRARC_MiningRound_StartIssuing" ? [value.summary] : [];
  });
}

test("a round that is no longer open starts issuing by the totals of a quorum", async () => {
  const { network, buyer } = await withBuyer();
  for (let i = 0; i < 3; i++) await buyTraffic(buyer);
  const [coupon] = network.everCreated(ValidatorRewardCoupon);
  expect(coupon).toMatchObject({ amount: decimal("666.8"), round: { number: 1n } });
  await network.moveAndSettle(HOUR);
  expect(network.active(SummarizingMiningRound)).toEqual([]);
  expect(numbers(network.active(IssuingMiningRound))).toEqual([0n]);
  await network.moveAndSettle(HOUR);
  expect(numbers(network.active(OpenMiningRound))).toEqual([2n, 3n, 4n]);
  expect(numbers(network.active(IssuingMiningRound))).toContain(1n);
  const totals = confirmedTotals(network);
  expect(totals.length).toBeGreaterThanOrEqual(6);
  expect(new Set(totals.map(({ totalValidatorRewardCoupons: total }) => total))).toEqual(
    new Set([0n, decimal("2000.4")]),
  );
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectAgreement();
});

test("a round waits for a quorum, and SVs that were away count what the others have counted", async () => {
  const { network, buyer } = await withBuyer();
  const [first, second, third, fourth] = network.svs as [UnservedSv, UnservedSv, UnservedSv, UnservedSv];
  await third.automation.stop();
  await fourth.automation.stop();
  await buyTraffic(buyer);
  for (let i = 0; i < 3; i++) {
    await network.moveClock(HOUR / 2n);
    await network.settle([first, second]);
  }
  expect(numbers(network.active(SummarizingMiningRound))).toEqual([0n, 1n, 2n]);
  expect(network.active(IssuingMiningRound)).toEqual([]);
  third.automation = third.newAutomation();
  third.automation.start();
  await network.settle([first, second, third]);
  expect(network.active(SummarizingMiningRound)).toEqual([]);
  expect(numbers(network.active(IssuingMiningRound))).toEqual([0n, 1n, 2n]);
  fourth.automation.start();
  await network.settle();
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectAgreement();
});

test("a round is closed at its time, not a microsecond before", async () => {
  const network = await SvNetwork.found();
  const [first] = network.svs as [UnservedSv];
  await network.moveAndSettle(HOUR);
  for (const { automation } of network.svs) await automation.stop();
  const { targetClosesAt } = network.only(IssuingMiningRound).payload;
  const { rows } = first.agenda;
  expect(rows.listDue({ due: 0n, created: 0n }, targetClosesAt - 1n, 100)).toEqual([]);
  expect(rows.listDue({ due: 0n, created: 0n }, targetClosesAt, 100)).toMatchObject([
    { template: IssuingMiningRound, round: 0n, due: targetClosesAt },
  ]);
  for (const { automation } of network.svs) automation.start();
  await network.moveAndSettle(targetClosesAt - network.now - 5_000_000n);
  expect(numbers(network.active(IssuingMiningRound))).toContain(0n);
  await network.moveAndSettle(5_000_000n);
  expect(numbers(network.active(IssuingMiningRound))).not.toContain(0n);
  expect(network.countCreated(ClosedMiningRound)).toBe(1);
});

test("coupons that nobody minted are expired once each, and their round is archived", async () => {
  const { network, buyer } = await withBuyer();
  for (let i = 0; i < 3; i++) await buyTraffic(buyer);
  for (let i = 0; i < 6; i++) {
    await network.moveAndSettle(HOUR / 2n);
    expectSoundRounds(network);
  }
  expect(network.active(ValidatorRewardCoupon)).toEqual([]);
  expect(network.active(ClosedMiningRound)).toEqual([]);
  expect(network.countCreated(ClosedMiningRound)).toBeGreaterThan(2);
  // Of the three coupons of 666.8, each worth 0.2 a coin.
  const unclaimed = network.everCreated(UnclaimedReward).map(({ amount }) => amount);
  expect(unclaimed.filter((amount) => amount === decimal("400.08"))).toHaveLength(1);
  expect(network.races()).toMatchObject({ failed: 0 });
  network.expectAgreement();
});

test("confirmations that lapse without a quorum go, and are given anew", async () => {
  const network = await SvNetwork.found();
  await network.settle();
  const [first, second, third, fourth] = network.svs as [UnservedSv, UnservedSv, UnservedSv, UnservedSv];
  await third.automation.stop();
  await fourth.automation.stop();
  await network.moveClock(HOUR / 6n);
  await network.settle([first, second]);
  const before = network.active(Confirmation).map(({ contractId }) => contractId);
  expect(before).toHaveLength(2);
  await network.moveClock(HOUR);
  await network.settle([first, second]);
  const after = network.active(Confirmation);
  expect(after.filter(({ contractId }) => before.includes(contractId))).toEqual([]);
  // Two rounds wait now, each for two SVs.
  expect(numbers(network.active(SummarizingMiningRound))).toEqual([0n, 1n]);
  expect(after.map(({ payload }) => payload.confirmer).toSorted()).toEqual(
    [first.party, first.party, second.party, second.party].toSorted(),
  );
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("an automation that one SV pauses is left to the other SVs", async () => {
  const network = await SvNetwork.found();
  const [first, second, ...others] = network.svs as [UnservedSv, UnservedSv, ...UnservedSv[]];
  for (const sv of [first, second]) {
    await sv.automation.stop();
    sv.automation = sv.newAutomation(undefined, { paused: ["summarize-rounds"] });
    sv.automation.start();
  }
  await network.moveAndSettle(HOUR);
  expect(numbers(network.active(SummarizingMiningRound))).toEqual([0n]);
  const confirmers = network.active(Confirmation).map(({ payload }) => payload.confirmer);
  expect(confirmers.toSorted()).toEqual(others.map(({ party }) => party).toSorted());
  await second.automation.stop();
  second.automation = second.newAutomation();
  second.automation.start();
  await network.settle();
  expect(numbers(network.active(IssuingMiningRound))).toEqual([0n]);
});
