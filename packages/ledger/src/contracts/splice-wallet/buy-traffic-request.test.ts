import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../testing/network-fixture.ts";
import { expectNotFound, expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { alice, inputAmulet, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { MEMBER_ID, MIN_TOP_UP, MIN_TOP_UP_COST, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration, time } from "../../values/time.ts";
import { MemberTraffic } from "../splice-amulet/declarations/member-traffic.ts";
import { BuyTrafficRequest } from "./declarations/traffic-purchases.ts";

const expiresAt = time("2026-01-01T00:05:00Z");
const trackingInfo = { trackingId: "request 1", endUserParty: alice };

/** Alice wants her wallet to buy traffic for a member within five minutes. */
function requested(given: Partial<BuyTrafficRequest> = {}) {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const request = {
    dso,
    endUserParty: alice,
    expiresAt,
    trackingId: "request 1",
    trafficAmount: MIN_TOP_UP,
    memberId: MEMBER_ID,
    synchronizerId: TEST_SYNCHRONIZER,
    migrationId: 0n,
    ...given,
  };
  const requestCid = sandbox.create(BuyTrafficRequest, request, { actAs: [alice] });
  const complete = (coin = "1000.0", actAs: readonly PartyId[] = [alice, validator]) => {
    const inputs = [inputAmulet(network.tap(alice, coin))];
    const argument = { inputs, context: network.paymentContext(), walletProvider: validator };
    const as = { ...network.as(...actAs), readAs: [alice] };
    return sandbox.exercise(BuyTrafficRequest, requestCid, "BuyTrafficRequest_Complete", argument, as);
  };
  const cancel = (actAs: readonly PartyId[] = [alice]) =>
    sandbox.exercise(
      BuyTrafficRequest,
      requestCid,
      "BuyTrafficRequest_Cancel",
      { reason: "no" },
      { actAs, readAs: [alice] },
    );
  const expire = (actAs: readonly PartyId[] = [alice]) =>
    sandbox.exercise(
      BuyTrafficRequest,
      requestCid,
      "BuyTrafficRequest_Expire",
      {},
      { actAs, readAs: [alice] },
    );
  return { network, sandbox, dso, requestCid, complete, cancel, expire };
}

describe("BuyTrafficRequest_Complete", () => {
  test("buys what was asked for, with the user's coin and in the user's name", () => {
    const { network, sandbox, dso, complete } = requested();
    const result = complete();
    expect(result.trackingInfo).toEqual(trackingInfo);
    expect(sandbox.payloadOf(MemberTraffic, result.purchasedTraffic)).toEqual({
      dso,
      memberId: MEMBER_ID,
      synchronizerId: TEST_SYNCHRONIZER,
      migrationId: 0n,
      totalPurchased: MIN_TOP_UP,
      numPurchases: 1n,
      amuletSpent: decimal("666.8"),
      usdSpent: decimal("3.334"),
    });
    expect(network.burnCoupons()).toMatchObject([{ user: alice, amount: decimal(MIN_TOP_UP_COST) }]);
    expect(coinsOf(network, alice)).toEqual(["333.2"]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["BuyTrafficRequest", "Amulet"],
      created: ["Amulet", "ValidatorRewardCoupon", "MemberTraffic"],
    });
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["BuyTrafficRequest_Complete", [alice, validator]],
      ["AmuletRules_BuyMemberTraffic", [alice]],
    ]);
    expectNotFound(complete);
  });

  test("keeps to the smallest purchase", () => {
    const { complete, sandbox, requestCid } = requested({ trafficAmount: MIN_TOP_UP - 1n });
    expect(rejectionOf(() => complete()).context["error_id"]).toBe(
      "splice.lfdecentralizedtrust.org/insufficient-topup-amount",
    );
    expect(sandbox.isActive(requestCid)).toBe(true);
  });

  test("is refused to user or wallet alone", () => {
    const { complete } = requested();
    for (const actAs of [[alice], [validator]]) expectUnauthorized(() => complete("1000.0", actAs));
  });
});

test("a request can be completed or cancelled before its deadline, and only be expired from then on", () => {
  const [first, second, third] = [requested(), requested(), requested()];
  for (const { sandbox } of [first, second, third]) sandbox.now = addDuration(expiresAt, -1n);
  expectUnmet("Contract has expired", third.expire);
  first.complete();
  expect(second.cancel()).toEqual({ trackingInfo });
  expect(changesOf(second.sandbox)).toEqual({ archived: ["BuyTrafficRequest"], created: [] });
  third.sandbox.now = expiresAt;
  expectUnmet("Contract has not expired", third.complete);
  expectUnmet("Contract has not expired", third.cancel);
  expect(third.expire()).toEqual({ trackingInfo });
  expectNotFound(third.expire);
});

test("only the user cancels or expires it, or makes it", () => {
  const { sandbox, requestCid, cancel, expire } = requested();
  expectUnauthorized(() => cancel([validator]));
  sandbox.now = expiresAt;
  expectUnauthorized(() => expire([validator]));
  const payload = sandbox.payloadOf(BuyTrafficRequest, requestCid);
  expectUnauthorized(() => sandbox.create(BuyTrafficRequest, payload, { actAs: [validator] }));
});
