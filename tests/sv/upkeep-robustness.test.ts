/** SVs that start late, lag behind, or run twice: what they keep in order between them is done once all the same. */

import { expect, test } from "vitest";
import {
  Amulet,
  AmuletAllocation,
  AmuletTransferInstruction,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  addDuration,
  FeaturedAppActivityMarker,
  LockedAmulet,
  RequestWithdrawal,
  SubscriptionRequest,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  VoteRequest,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { startAll, stopAll } from "./network-views.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { allocateToken, featureApp, holdVote, markActivity, preapprove, sendToken } from "./upkeep.ts";
import { type Wallet, withAlice } from "./wallet.ts";

const MARKERS = 250;
/** All of these go in the end. */
const PASSING: readonly AnyTemplateDeclaration[] = [
  FeaturedAppActivityMarker,
  AmuletTransferInstruction,
  AmuletAllocation,
  LockedAmulet,
  TransferPreapproval,
  VoteRequest,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  SubscriptionRequest,
  AnsEntryContext,
  RequestWithdrawal,
];

/** Leaves something for every one of them to do. */
async function makeWork(network: SvNetwork, alice: Wallet): Promise<void> {
  const end = addDuration(network.now, HOUR);
  const receiver = network.first.party;
  await sendToken(network, alice, { receiver, amount: "100.0", executeBefore: end });
  await allocateToken(network, alice, { receiver, amount: "50.0", settleBefore: end });
  await preapprove(alice, end);
  await alice.request("alice.unverified.cns");
  const right = await featureApp(network, alice);
  for (let i = 0; i < MARKERS; i += 50) await markActivity(alice, right, 50);
  for (let i = 0; i < 5; i++) await alice.tap(decimal("0.001"));
  const expiresAt = addDuration(network.now, 45n * DAY);
  const grant = { beneficiary: alice.party, amount: decimal("1.0"), reason: "thanks", expiresAt };
  const dsoAction = { tag: "SRARC_CreateUnallocatedUnclaimedActivityRecord", value: grant } as const;
  await holdVote(network, { tag: "ARC_DsoRules", value: { dsoAction } }, { yes: 3 });
}

/** Time for all of it to be due, and to be done. */
const STEPS = [MINUTE, HOUR, DAY, DAY, DAY, DAY, 30n * DAY, 31n * DAY];

function expectDoneOnce(network: SvNetwork, alice: Wallet): void {
  for (const template of PASSING) {
    expect([template.entity, network.active(template)]).toEqual([template.entity, []]);
    expect([template.entity, network.countCreated(template) > 0]).toEqual([template.entity, true]);
  }
  // Two SVs may announce it at once, and then one of the announcements is discarded.
  expect(network.countCreated(RequestWithdrawal)).toBeLessThan(5);
  expect(network.countCreated(UnallocatedUnclaimedActivityRecord)).toBe(1);
  // Every marker counts once: a dollar each, at half a cent a coin.
  const featured = network.everCreated(AppRewardCoupon).reduce((sum, { amount }) => sum + amount, 0n);
  expect(featured).toBe(decimal(`${MARKERS * 200}.0`));
  // Coin that was put aside is back, the preapproval was paid for, and dust is gone.
  const dust = network.active(Amulet).filter(({ payload }) => payload.amount.initialAmount < decimal("1.0"));
  expect(dust).toEqual([]);
  expect(alice.locked()).toBe(decimal("0.0"));
  network.expectNothingStuck();
  network.expectAgreement();
}

test("SVs that start late do every upkeep task that waits", async () => {
  const { network, alice } = await withAlice();
  await stopAll(network);
  await makeWork(network, alice);
  await startAll(network);
  for (const step of STEPS) await network.moveAndSettle(step);
  expectDoneOnce(network, alice);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("SVs that start long after the due times do every upkeep task", async () => {
  const { network, alice } = await withAlice();
  await stopAll(network);
  await makeWork(network, alice);
  await network.moveClock(40n * DAY);
  await startAll(network);
  for (const step of STEPS) await network.moveAndSettle(step);
  expectDoneOnce(network, alice);
});

test("an SV that is away meanwhile and opens its files again agrees with the others", async () => {
  const { network, alice } = await withAlice({ folder: temporaryFolder() });
  const others = network.svs.filter((_, i) => i !== 2);
  await network.restart(2, async () => {
    // The vote needs three, of which one is away.
    const { svs } = network;
    network.svs = [svs[0], svs[1], svs[3]] as UnservedSv[];
    await makeWork(network, alice);
    network.svs = svs;
    for (const step of STEPS.slice(0, 3)) {
      await network.moveClock(step);
      await network.settle(others);
    }
  });
  await network.settle();
  for (const step of STEPS.slice(3)) await network.moveAndSettle(step);
  expectDoneOnce(network, alice);
});

test("two instances of each SV do every upkeep task once", async () => {
  const { network, alice } = await withAlice();
  const twins = network.svs.map((sv) => sv.newAutomation());
  for (const twin of twins) twin.start();
  await makeWork(network, alice);
  const settle = async () => {
    for (let i = 0; i < 2; i++) {
      await network.settle();
      await Promise.all(twins.map((twin) => twin.idle()));
    }
  };
  await settle();
  for (const step of STEPS) {
    await network.moveClock(step);
    await settle();
  }
  for (const twin of twins) await twin.stop();
  await network.settle();
  expectDoneOnce(network, alice);
});
