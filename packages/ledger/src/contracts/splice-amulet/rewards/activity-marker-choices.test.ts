import { describe, expect, test } from "vitest";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { AppRewardCoupon } from "../declarations/reward-coupons.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const [amy, app, bob, zoe] = ["amy", "app", "bob", "zoe"].map(testParty) as [
  PartyId,
  PartyId,
  PartyId,
  PartyId,
];
const other = testParty("OTHER-DSO");

function mark(
  network: SandboxNetwork,
  provider: PartyId,
  beneficiary: PartyId,
  weight = "1.0",
  dso = network.dso,
) {
  const marker = { dso, provider, beneficiary, weight: decimal(weight) };
  return network.sandbox.create(FeaturedAppActivityMarker, marker, { actAs: [dso] });
}

function convert(
  network: SandboxNetwork,
  markerCids: readonly ContractId[],
  given: {
    readonly round?: ContractId;
    readonly observers?: readonly PartyId[];
    readonly actAs?: readonly PartyId[];
  } = {},
) {
  const { round = network.openRound(1n).contractId, observers = null, actAs = [network.dso] } = given;
  return network.sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_ConvertFeaturedAppActivityMarkers",
    { markerCids, openMiningRoundCid: round, observers },
    { actAs, disclose: [...network.disclosures(), round] },
  );
}

/** Provider, beneficiary and amount of the app coupons there are. */
function coupons({ sandbox }: SandboxNetwork) {
  return sandbox
    .active(AppRewardCoupon)
    .map(({ payload }) => [payload.provider, payload.beneficiary, formatDecimalShort(payload.amount)]);
}

describe("activity markers", () => {
  test("become a featured coupon of an open round: a dollar's worth for each unit of weight", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const marker = mark(network, app, bob, "2.5");
    const { appRewardCouponCids } = convert(network, [marker]);
    // 1 ÷ 0.005 × 2.5
    expect(sandbox.active(AppRewardCoupon)).toEqual([
      {
        contractId: appRewardCouponCids[0],
        payload: {
          dso,
          provider: app,
          featured: true,
          amount: decimal("500.0"),
          round: { number: 1n },
          beneficiary: bob,
        },
      },
    ]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["FeaturedAppActivityMarker"],
      created: ["AppRewardCoupon"],
    });
  });

  test("of one provider and beneficiary become one coupon, in the order of both", () => {
    const network = new SandboxNetwork();
    const markers = [
      mark(network, zoe, amy, "0.25"),
      mark(network, app, zoe),
      mark(network, app, bob, "0.5"),
      mark(network, app, zoe, "3.0"),
      mark(network, zoe, amy, "0.25"),
    ];
    convert(network, markers);
    expect(coupons(network)).toEqual([
      [app, bob, "100.0"],
      [app, zoe, "800.0"],
      [zoe, amy, "100.0"],
    ]);
    expect(network.sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  });

  test("count by the price of their round, rounded before the weight multiplies it", () => {
    const network = new SandboxNetwork({ amuletPrice: decimal("0.3") });
    convert(network, [mark(network, app, app, "3.0")]);
    expect(coupons(network)).toEqual([[app, app, "9.9999999999"]]);
  });

  test("are used up for nothing if the configuration gives nothing for them", () => {
    const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
    const nothing = decimal("0.0");
    const network = new SandboxNetwork({
      config: {
        ...config,
        featuredAppActivityMarkerAmount: nothing,
        transferConfig: { ...config.transferConfig, extraFeaturedAppRewardAmount: nothing },
      },
    });
    const marker = mark(network, app, app);
    expect(convert(network, [marker])).toEqual({ appRewardCouponCids: [] });
    expect(network.sandbox.isActive(marker)).toBe(false);
    expect(coupons(network)).toEqual([]);
  });

  test("may be none at all", () => {
    expect(convert(new SandboxNetwork(), [])).toEqual({ appRewardCouponCids: [] });
  });

  test("markers whose share rounds to nothing are archived without a coupon and do not hold back the others", () => {
    const network = new SandboxNetwork({ amuletPrice: decimal("100000.0") });
    // 1 ÷ 100,000 × 0.000001 is a tenth of the smallest unit, × 0.000005 is half of it, which rounds to even.
    const light = ["0.000001", "0.000005"].map((weight, i) =>
      mark(network, app, [amy, bob][i] as PartyId, weight),
    );
    const heavy = [mark(network, app, zoe, "0.0000050001"), mark(network, app, app)];
    const { appRewardCouponCids } = convert(network, [...light, ...heavy]);
    expect(appRewardCouponCids).toHaveLength(2);
    expect(coupons(network)).toEqual([
      [app, app, "0.00001"],
      [app, zoe, "0.0000000001"],
    ]);
    expect(network.sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  });

  test.each([
    { at: -1n, open: false },
    { at: 0n, open: true },
  ])("need a round that is open: $at µs from its opening, $open", ({ at, open }) => {
    const network = new SandboxNetwork();
    const round = network.openRound(2n);
    network.sandbox.now = addDuration(round.payload.opensAt, at);
    const submit = () => convert(network, [mark(network, app, app)], { round: round.contractId });
    if (open) expect(submit().appRewardCouponCids).toHaveLength(1);
    else expectUnmet("mining round is open: Round {number = 2}", submit);
  });

  test("need the DSO's own round, and must be the DSO's own", () => {
    const network = new SandboxNetwork();
    const { sandbox } = network;
    const foreignRound = sandbox.create(
      OpenMiningRound,
      { ...network.openRound(1n).payload, dso: other },
      { actAs: [other] },
    );
    const actAs = [network.dso, other];
    const mine = mark(network, app, app);
    expectUnauthorized(() => convert(network, [mine], { round: foreignRound, actAs }));
    const foreign = mark(network, app, app, "1.0", other);
    expectUnauthorized(() => convert(network, [mine, foreign], { actAs }));
  });

  test("are converted once, by the DSO alone", () => {
    const network = new SandboxNetwork();
    const marker = mark(network, app, app);
    expectUnauthorized(() => convert(network, [marker], { actAs: [app] }));
    expect(rejectionOf(() => convert(network, [marker, marker])).code).toBe("CONTRACT_NOT_ACTIVE");
    convert(network, [marker]);
    expectNotFound(() => convert(network, [marker]));
  });

  test("show their conversion to the observers that the DSO names", () => {
    const network = new SandboxNetwork();
    const observersOf = () => {
      const [root] = network.sandbox.lastTransaction?.nodes ?? [];
      return root?.kind === "exercise" ? root.choiceObservers : null;
    };
    convert(network, [mark(network, app, bob)], { observers: [app, bob] });
    expect(observersOf()).toEqual([app, bob]);
    convert(network, [mark(network, app, bob)]);
    expect(observersOf()).toEqual([]);
  });
});
