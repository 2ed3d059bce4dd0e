/**
 * Contracts that somebody makes on purpose, within the rules, to keep the SVs busy for ever or to keep them from what
 * they do for others: each is dealt with or left alone, and nothing is tried again and again.
 */

import { expect, test } from "vitest";
import { FeaturedAppRightV1 } from "../../packages/ledger/src/contracts/splice-api-featured-app-v1/featured-app-right.ts";
import {
  AppRewardCoupon,
  exerciseCommand,
  FeaturedAppActivityMarker,
  MAX_INT64,
  MemberTraffic,
  type Outcome,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { MAX_TIME } from "../../packages/ledger/src/values/time.ts";
import { buyTraffic } from "./rewards.ts";
import { SvNetwork } from "./sv-network.ts";
import { allocateToken, featureApp, preapprove, sendToken } from "./upkeep.ts";
import { Wallet } from "./wallet.ts";

function expectNothingStuck(network: SvNetwork): void {
  network.expectNothingStuck();
  network.expectAgreement();
}

function accepted({ verdict }: Outcome): void {
  expect(verdict.kind === "rejected" ? verdict.error.cause : verdict.kind).toBe("accepted");
}

test("traffic that no contract can hold the sum of is left as it is, and the rest is merged", async () => {
  const network = await SvNetwork.found();
  const [greedy, other] = [await Wallet.open(network, "greedy"), await Wallet.open(network, "other")];
  // On a DevNet coin costs nothing: 9.2 × 10¹⁸ bytes are 3 × 10¹⁶ coins.
  await greedy.tap(decimal("1000000000000000000.0"));
  await other.tap(decimal("100000.0"));
  for (let i = 0; i < 7; i++) accepted(await buyTraffic(greedy, MAX_INT64));
  for (let i = 0; i < 7; i++) accepted(await buyTraffic(greedy));
  for (let i = 0; i < 6; i++) accepted(await buyTraffic(other));
  await network.settle();
  const bought = network.active(MemberTraffic).map(({ payload }) => payload);
  const of = ({ member }: Wallet) =>
    bought
      .filter(({ memberId }) => memberId === `PAR::${member.id}`)
      .map(({ totalPurchased }) => totalPurchased);
  expect(of(greedy).filter((bytes) => bytes === MAX_INT64)).toHaveLength(7);
  expect(of(greedy).filter((bytes) => bytes < MAX_INT64)).toEqual([200_000n, 1_200_000n]);
  expect(of(other)).toEqual([1_200_000n]);
  expectNothingStuck(network);
});

test("markers of hardly any weight are used up, and those of others become coupons", async () => {
  // At this price a marker of the least weight is worth less than the smallest amount of coin.
  const network = await SvNetwork.found({ founding: { amuletPrice: decimal("10.0") } });
  const [miser, app] = [await Wallet.open(network, "miser"), await Wallet.open(network, "app")];
  const right = await featureApp(network, miser);
  const [least, most] = [decimal("0.0000000001"), decimal("0.9999999999")];
  const beneficiaries = [
    { beneficiary: app.party, weight: least },
    { beneficiary: miser.party, weight: most },
  ];
  const choice = "FeaturedAppRight_CreateActivityMarker";
  accepted(await miser.submit([exerciseCommand(FeaturedAppRightV1, right, choice, { beneficiaries })]));
  expect(network.active(FeaturedAppActivityMarker)).toHaveLength(2);
  await network.moveAndSettle(MINUTE);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  expect(network.everCreated(AppRewardCoupon).map(({ beneficiary }) => beneficiary)).toEqual([miser.party]);
  expectNothingStuck(network);
});

test("contracts that last until the end of time are left alone, and time goes on", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal("100000000.0"));
  const receiver = network.first.party;
  accepted(await sendToken(network, alice, { receiver, amount: "1.0", executeBefore: MAX_TIME }));
  accepted(await allocateToken(network, alice, { receiver, amount: "1.0", settleBefore: MAX_TIME }));
  accepted(await preapprove(alice, MAX_TIME));
  for (let i = 0; i < 3; i++) await network.moveAndSettle(HOUR);
  expectNothingStuck(network);
});
