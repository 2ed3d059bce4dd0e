import { expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../testing/network-fixture.ts";
import { expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { validator } from "../../../testing/subscription-fixture.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { MEMBER_ID, MIN_TOP_UP, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { MIN_TIME } from "../../values/time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { MemberTraffic } from "../splice-amulet/declarations/member-traffic.ts";
import type { AmuletOperation } from "./declarations/amulet-operation.ts";
import { WalletAppInstall } from "./declarations/install.ts";
import { BuyTrafficRequest, ValidatorTopUpState } from "./declarations/traffic-purchases.ts";

const provider1 = testParty("provider1");
const provider2 = testParty("provider2");
const target = { memberId: MEMBER_ID, synchronizerId: TEST_SYNCHRONIZER, migrationId: 0n };

function buy(
  trafficAmount: bigint,
  topupStateCid: ContractId | null,
  synchronizerId = TEST_SYNCHRONIZER,
): AmuletOperation {
  const minTopupInterval = { microseconds: MINUTE };
  const value = { ...target, synchronizerId, trafficAmount, minTopupInterval, topupStateCid };
  return { tag: "CO_BuyMemberTraffic", value };
}

function createState({ sandbox, dso }: WalletNetwork, synchronizerId: string): ContractId {
  const state = { dso, validator, ...target, synchronizerId, lastPurchasedAt: MIN_TIME };
  return sandbox.create(ValidatorTopUpState, state, { actAs: [validator] });
}

/** A top-up by the validator's state as it stands; the coin for it is tapped. */
function topUp(network: WalletNetwork): ContractId {
  const [state = expect.fail("no state")] = network.sandbox
    .active(ValidatorTopUpState)
    .filter(({ payload }) => payload.synchronizerId === TEST_SYNCHRONIZER);
  return network.runOwn([buy(MIN_TOP_UP, state.contractId)]).outcomes[0]?.value as ContractId;
}

/** Provider2 asks its wallet for traffic, in time. */
function buyOnRequest(network: WalletNetwork): ContractId {
  const { sandbox } = network;
  const install = network.installWallet(provider2, validator);
  const as = network.asWallet(provider2);
  const request = (trackingId: string, duration: bigint): ContractId => {
    const expiresAt = network.later(duration);
    const argument = { ...target, trafficAmount: MIN_TOP_UP, trackingId, expiresAt };
    const choice = "WalletAppInstall_CreateBuyTrafficRequest";
    return sandbox.exercise(WalletAppInstall, install, choice, argument, as).buyTrafficRequest;
  };
  const complete = (trafficRequestCid: ContractId) =>
    network.executeBatch(install, {
      inputs: [network.tap(provider2, "1000.0")],
      operations: [{ tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid } }],
      as,
    });
  const asUser = { actAs: [provider2] };
  const lapsed = request("request1", 0n);
  expectUnmet("Contract has not expired", () => complete(lapsed));
  expect(sandbox.exercise(BuyTrafficRequest, lapsed, "BuyTrafficRequest_Expire", {}, asUser)).toEqual({
    trackingInfo: { trackingId: "request1", endUserParty: provider2 },
  });
  const [outcome] = complete(request("request2", MINUTE)).outcomes;
  if (outcome?.tag !== "COO_CompleteBuyTrafficRequest") return expect.fail("not bought");
  expect(outcome.value._2).toEqual({ trackingId: "request2", endUserParty: provider2 });
  return outcome.value._1;
}

test("a top-up of too little, or on a synchronizer that is not known, is refused with the figures", () => {
  const network = new WalletNetwork();
  const unknown = `${TEST_SYNCHRONIZER}_invalid`;
  const [state, invalid] = [createState(network, TEST_SYNCHRONIZER), createState(network, unknown)];
  const tooSmall = rejectionOf(() => network.runOwn([buy(MIN_TOP_UP - 1n, state)]));
  expect(tooSmall.context).toMatchObject({ minTopupAmount: "200000", requestedTopupAmount: "199999" });
  const notKnown = rejectionOf(() => network.runOwn([buy(MIN_TOP_UP - 1n, invalid, unknown)]));
  expect(notKnown.context).toMatchObject({ synchronizerId: unknown });
  expect([state, invalid].every((cid) => network.sandbox.isActive(cid))).toBe(true);
});

test("traffic is topped up, bought by others and on request, and merged", () => {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  createState(network, TEST_SYNCHRONIZER);
  const first = topUp(network);
  expect(coinsOf(network, validator)).toEqual([]);
  expectUnmet("enough time has elapsed since the last topup", () => topUp(network));
  sandbox.advance(MINUTE);
  const second = topUp(network);

  network.advanceRounds();
  const inputs = [network.tap(provider1, "1000.0")];
  const byAnother = network.runOwn([buy(MIN_TOP_UP + 1n, null)], inputs, provider1);
  const third = byAnother.outcomes[0]?.value as ContractId;
  expect(sandbox.payloadOf(MemberTraffic, third)).toMatchObject({
    amuletSpent: decimal("666.803334"),
    usdSpent: decimal("3.33401667"),
  });
  const { round } = network.usableRound().payload;
  expect(network.burnCoupons().at(-1)).toMatchObject({ user: provider1, round });

  const trafficCids = [first, second, third, buyOnRequest(network)];
  const choice = "AmuletRules_MergeMemberTrafficContracts";
  sandbox.exercise(AmuletRules, network.amuletRules, choice, { trafficCids }, { actAs: [dso] });
  // 3 × 666.8 + 666.803334, and the same in dollars.
  expect(sandbox.active(MemberTraffic).map(({ payload }) => payload)).toEqual([
    {
      dso,
      ...target,
      totalPurchased: 4n * MIN_TOP_UP + 1n,
      numPurchases: 4n,
      amuletSpent: decimal("2667.203334"),
      usdSpent: decimal("13.33601667"),
    },
  ]);
});
