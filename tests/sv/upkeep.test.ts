/** SVs keep markers, votes and licenses in order, and expire contracts whose time is over. */

import { expect, test } from "vitest";
import {
  Amulet,
  AmuletAllocation,
  AmuletPriceVote,
  AmuletRules,
  AmuletTransferInstruction,
  AppRewardCoupon,
  addDuration,
  DevelopmentFundCoupon,
  DsoRules,
  ExternalPartyAmuletRules,
  exerciseCommand,
  FeaturedAppActivityMarker,
  LockedAmulet,
  type Time,
  TransferCommand,
  TransferCommandCounter,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  UnclaimedDevelopmentFundCoupon,
  UnclaimedReward,
  ValidatorLicense,
  VoteRequest,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { startAll, stopAll } from "./network-views.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { allocateToken, featureApp, holdVote, markActivity, preapprove, sendToken } from "./upkeep.ts";
import { Wallet, withAlice } from "./wallet.ts";

const SECONDS = 1_000_000n;

function expectSound(network: SvNetwork): void {
  const statuses = network.svs.flatMap(({ automation }) => automation.status().automations);
  expect(statuses.filter(({ failed, stuck }) => failed > 0 || stuck.length > 0)).toEqual([]);
  network.expectAgreement();
}

function countCommands(network: SvNetwork, automation: string): number {
  const statuses = network.svs.flatMap((sv) => sv.automation.status().automations);
  return statuses
    .filter((status) => status.automation === automation)
    .reduce((sum, { done }) => sum + done, 0);
}

test("activity markers become one coupon when the oldest is half a minute old, not before", async () => {
  const { network, alice } = await withAlice();
  const right = await featureApp(network, alice);
  await markActivity(alice, right, 3);
  await network.settle();
  const { agenda, automation } = network.first;
  const [oldest] = agenda.rows.list(FeaturedAppActivityMarker, 1);
  const due = addDuration(oldest?.createdAt as Time, 30n * SECONDS);
  expect(due).toBeGreaterThan(network.now);
  expect(automation.nextDue()).toBe(due);
  await network.moveAndSettle(due - network.now - 5n * SECONDS);
  expect(network.active(FeaturedAppActivityMarker)).toHaveLength(3);
  await network.moveAndSettle(5n * SECONDS);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  // Three markers of one dollar each, at half a cent a coin.
  const { payload } = network.only(AppRewardCoupon);
  expect(payload).toMatchObject({ provider: alice.party, featured: true, amount: decimal("600.0") });
  expect(countCommands(network, "convert-activity-markers")).toBe(1);
  expectSound(network);
});

test("a hundred markers are converted at once, and the rest of them wait", async () => {
  const { network, alice } = await withAlice();
  const right = await featureApp(network, alice);
  for (let i = 0; i < 5; i++) await markActivity(alice, right, 50);
  await network.settle();
  expect(network.active(FeaturedAppActivityMarker)).toHaveLength(50);
  const amounts = () => network.active(AppRewardCoupon).map(({ payload }) => payload.amount);
  expect(amounts()).toEqual([decimal("20000.0"), decimal("20000.0")]);
  await network.moveAndSettle(31n * SECONDS);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  expect(amounts()).toEqual([decimal("20000.0"), decimal("20000.0"), decimal("10000.0")]);
  expectSound(network);
});

test("markers behind a whole batch wait for their own half minute", async () => {
  const { network, alice } = await withAlice();
  const right = await featureApp(network, alice);
  await network.settle();
  await stopAll(network);
  await markActivity(alice, right, 100);
  await network.moveClock(31n * SECONDS);
  await markActivity(alice, right, 5);
  await startAll(network);
  expect(network.active(FeaturedAppActivityMarker)).toHaveLength(5);
  await network.moveAndSettle(31n * SECONDS);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  expectSound(network);
});

test("coin worth less than its holding fees expires, free or locked; other coin stays", async () => {
  const { network, alice } = await withAlice({ coin: "500.0" });
  const executeBefore = addDuration(network.now, 60n * DAY);
  await sendToken(network, alice, { receiver: network.first.party, amount: "0.004", executeBefore });
  await alice.tap(decimal("0.0038"));
  await network.settle();
  expect([network.active(Amulet).length, network.active(LockedAmulet).length]).toEqual([2, 1]);
  // Both configuration states have to pass the round; each is replaced every other day.
  for (let i = 0; i < 6; i++) await network.moveAndSettle(DAY);
  expect(alice.balance()).toBe(decimal("499.996"));
  expect(network.active(LockedAmulet)).toEqual([]);
  expect(countCommands(network, "expire-coin")).toBe(1);
  expect(countCommands(network, "expire-locked-coin")).toBe(1);
  // The transfer has no coin any more, and goes all the same when its time has come.
  expect(network.active(AmuletTransferInstruction)).toHaveLength(1);
  await network.moveAndSettle(60n * DAY);
  expect(network.active(AmuletTransferInstruction)).toEqual([]);
  expectSound(network);
});

test("more coins than an SV looks at together are all expired at once, each once", async () => {
  const { network, alice } = await withAlice({ coin: "0.001" });
  const bob = await Wallet.open(network, "bob");
  for (let i = 0; i < 23; i++)
    await Promise.all(
      [alice, bob].flatMap((each) => Array.from({ length: 10 }, () => each.tap(decimal("0.001")))),
    );
  const coins = () => network.active(Amulet).length;
  expect(coins()).toBe(461);
  for (let i = 0; i < 6 && coins() === 461; i++) await network.moveAndSettle(DAY);
  expect(coins()).toBe(0);
  expect(countCommands(network, "expire-coin")).toBe(5);
  expectSound(network);
});

test("a transfer that nobody accepts and an allocation that nobody settles go back, and a preapproval ends", async () => {
  const { network, alice } = await withAlice();
  const bob = await Wallet.open(network, "bob");
  const end = addDuration(network.now, HOUR);
  await sendToken(network, alice, { receiver: bob.party, amount: "100.0", executeBefore: end });
  await allocateToken(network, alice, { receiver: bob.party, amount: "50.0", settleBefore: end });
  await preapprove(alice, end);
  await network.settle();
  expect(alice.locked()).toBe(decimal("150.0"));
  const before = alice.balance();
  await network.moveAndSettle(end - network.now - MINUTE);
  expect(alice.locked()).toBe(decimal("150.0"));
  expect(network.active(TransferPreapproval)).toHaveLength(1);
  await network.moveAndSettle(MINUTE);
  expect(alice.locked()).toBe(decimal("0.0"));
  expect(alice.balance() - before).toBe(decimal("150.0"));
  expect(network.active(AmuletTransferInstruction)).toEqual([]);
  expect(network.active(AmuletAllocation)).toEqual([]);
  expect(network.active(TransferPreapproval)).toEqual([]);
  expectSound(network);
});

test("an owner who takes the coin of a transfer out by hand leaves nothing that is stuck", async () => {
  const { network, alice } = await withAlice();
  const end = addDuration(network.now, HOUR);
  await sendToken(network, alice, { receiver: network.first.party, amount: "100.0", executeBefore: end });
  await network.settle();
  await stopAll(network);
  await network.moveClock(2n * HOUR);
  await alice.takeOut();
  await startAll(network);
  expect(network.active(AmuletTransferInstruction)).toEqual([]);
  expect(alice.balance()).toBe(decimal("1000.0"));
  expectSound(network);
});

/** The coin that the SVs vote to alice. */
function grant(alice: Wallet, amount: string, expiresAt: Time) {
  const value = { beneficiary: alice.party, amount: decimal(amount), reason: "thanks", expiresAt };
  const dsoAction = { tag: "SRARC_CreateUnallocatedUnclaimedActivityRecord", value } as const;
  return { tag: "ARC_DsoRules", value: { dsoAction } } as const;
}

test("a vote takes effect when a quorum is for it; what it grants is allocated once there is enough, or runs out", async () => {
  const { network, alice } = await withAlice();
  const end = addDuration(network.now, 10n * DAY);
  await holdVote(network, grant(alice, "100.0", end), { yes: 2 });
  await network.settle();
  expect(network.active(VoteRequest)).toHaveLength(1);
  await network.moveAndSettle(7n * DAY);
  // Two of four were too few.
  expect(network.active(VoteRequest)).toEqual([]);
  expect(network.active(UnallocatedUnclaimedActivityRecord)).toEqual([]);
  const later = addDuration(network.now, 10n * DAY);
  await holdVote(network, grant(alice, "100.0", later), { yes: 3 });
  await network.settle();
  expect(network.active(VoteRequest)).toEqual([]);
  const rewards = () =>
    network.active(UnclaimedReward).reduce((sum, { payload }) => sum + payload.amount, 0n);
  // Rounds have left more than that already.
  expect(network.active(UnallocatedUnclaimedActivityRecord)).toEqual([]);
  expect(network.only(UnclaimedActivityRecord).payload).toMatchObject({
    beneficiary: alice.party,
    amount: decimal("100.0"),
  });
  const before = rewards();
  await holdVote(network, grant(alice, "9000000000.0", later), { yes: 3 });
  await network.settle();
  expect(network.active(UnallocatedUnclaimedActivityRecord)).toHaveLength(1);
  expect(rewards()).toBe(before);
  await network.moveAndSettle(11n * DAY);
  // Nobody minted the one, and for the other there never was enough.
  expect(network.active(UnallocatedUnclaimedActivityRecord)).toEqual([]);
  expect(network.active(UnclaimedActivityRecord)).toEqual([]);
  expect(rewards()).toBeGreaterThanOrEqual(before + decimal("100.0"));
  expectSound(network);
});

test("a vote with a date takes effect then, one that a quorum refuses ends at once, one without votes at its end", async () => {
  const { network, alice } = await withAlice();
  const expiresAt = addDuration(network.now, 60n * DAY);
  await holdVote(network, grant(alice, "1.0", expiresAt), { yes: 1, no: 3 });
  await network.settle();
  expect(network.active(VoteRequest)).toEqual([]);
  const effectiveAt = addDuration(network.now, 20n * DAY);
  await holdVote(network, grant(alice, "1.0", expiresAt), { yes: 3, effectiveAt });
  await network.moveAndSettle(effectiveAt - network.now - HOUR);
  expect(network.active(VoteRequest)).toHaveLength(1);
  expect(
    network.first.automation.status().automations.find((a) => a.automation === "close-vote-requests"),
  ).toMatchObject({ nextDueAt: effectiveAt });
  await network.moveAndSettle(HOUR);
  expect(network.active(VoteRequest)).toEqual([]);
  expect(network.everCreated(UnallocatedUnclaimedActivityRecord)).toHaveLength(1);
  await holdVote(network, grant(alice, "1.0", expiresAt), {
    yes: 1,
    effectiveAt: addDuration(network.now, 20n * DAY),
  });
  await network.moveAndSettle(7n * DAY);
  expect(network.active(VoteRequest)).toEqual([]);
  expect(network.everCreated(UnallocatedUnclaimedActivityRecord)).toHaveLength(1);
  expectSound(network);
});

test("a coupon of the fund's manager that nobody minted goes back to the fund", async () => {
  const { network, alice } = await withAlice();
  const { configSchedule } = network.only(AmuletRules).payload;
  const baseConfig = configSchedule.initialValue;
  const newConfig = { ...baseConfig, optDevelopmentFundManager: network.first.party };
  const amuletRulesAction = { tag: "CRARC_SetConfig", value: { newConfig, baseConfig } } as const;
  await holdVote(network, { tag: "ARC_AmuletRules", value: { amuletRulesAction } }, { yes: 3 });
  await network.settle();
  for (let i = 0; i < 3; i++) await network.moveAndSettle(HOUR);
  const funds = () => network.active(UnclaimedDevelopmentFundCoupon);
  const fund = () => funds().reduce((sum, { payload }) => sum + payload.amount, 0n);
  const before = fund();
  const expiresAt = addDuration(network.now, MINUTE);
  const rules = network.only(AmuletRules).contractId;
  const choice = "AmuletRules_AllocateDevelopmentFundCoupon";
  const command = exerciseCommand(AmuletRules, rules, choice, {
    unclaimedDevelopmentFundCouponCids: funds().map(({ contractId }) => contractId),
    ...{ beneficiary: alice.party, amount: decimal("5.0"), expiresAt, reason: "tools" },
    fundManager: network.first.party,
  });
  expect((await network.byHand(network.first, command)).verdict.kind).toBe("accepted");
  await network.settle();
  expect(network.only(DevelopmentFundCoupon).payload.amount).toBe(decimal("5.0"));
  expect(fund()).toBe(before - decimal("5.0"));
  await network.moveAndSettle(MINUTE);
  expect(network.active(DevelopmentFundCoupon)).toEqual([]);
  expect(fund()).toBe(before);
  expectSound(network);
});

test("the vote on the price of an SV that was offboarded is removed, and rounds go on with the others'", async () => {
  const { network } = await withAlice();
  const [gone, ...others] = network.svs.toReversed() as [UnservedSv, ...UnservedSv[]];
  const dsoAction = { tag: "SRARC_OffboardSv", value: { sv: gone.party } } as const;
  await holdVote(network, { tag: "ARC_DsoRules", value: { dsoAction } }, { yes: 3 });
  await network.settle();
  const voters = network.active(AmuletPriceVote).map(({ payload }) => payload.sv);
  expect(voters.toSorted()).toEqual(others.map(({ party }) => party).toSorted());
  await network.moveAndSettle(HOUR);
  expectSound(network);
});

test("a validator that was onboarded twice has one license in the end", async () => {
  const { network, alice } = await withAlice();
  for (const sv of network.svs.slice(0, 2)) {
    const argument = { sponsor: sv.party, validator: alice.party, version: null, contactPoint: null };
    const rules = network.only(DsoRules).contractId;
    await network.byHand(sv, exerciseCommand(DsoRules, rules, "DsoRules_OnboardValidator", argument));
  }
  await network.settle();
  expect(network.only(ValidatorLicense).payload.validator).toBe(alice.party);
  expectSound(network);
});

test("a party that sends transfer commands gets one counter, by a quorum", async () => {
  const { network, alice } = await withAlice();
  const rules = network.only(ExternalPartyAmuletRules).contractId;
  const command = (nonce: bigint) =>
    exerciseCommand(ExternalPartyAmuletRules, rules, "ExternalPartyAmuletRules_CreateTransferCommand", {
      ...{ sender: alice.party, receiver: alice.party, delegate: alice.party, amount: decimal("1.0"), nonce },
      ...{ expiresAt: addDuration(network.now, DAY), description: null, expectedDso: network.dso },
    });
  await alice.submit([command(0n)], [rules]);
  await alice.submit([command(1n)], [rules]);
  await network.settle();
  expect(network.only(TransferCommandCounter).payload).toMatchObject({ sender: alice.party, nextNonce: 0n });
  // Commands that nobody sends may lie there for good: once counted, they are not looked at again with every round.
  await alice.submit([command(2n)], [rules]);
  expect(network.active(TransferCommand)).toHaveLength(3);
  for (const { agenda } of network.svs) {
    const pending = agenda.rows.listPending(0n, 1000);
    expect(pending.filter(({ template }) => template === TransferCommand)).toEqual([]);
  }
  expectSound(network);
});
