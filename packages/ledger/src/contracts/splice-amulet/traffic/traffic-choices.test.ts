import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  GENERAL_ERROR,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { alice, bob, validator } from "../../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import {
  MEMBER_ID,
  MIN_TOP_UP,
  MIN_TOP_UP_COST,
  type TrafficOrder,
  WalletNetwork,
} from "../../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import { MAX_INT64 } from "../../../values/int64.ts";
import { Amulet, FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { MemberTraffic } from "../declarations/member-traffic.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

describe("AmuletRules_BuyMemberTraffic", () => {
  test("burns the price, records the traffic, and lets the buyer's validator claim a reward for the burn", () => {
    const network = new WalletNetwork();
    const { sandbox, dso } = network;
    const result = network.buyTraffic({ inputs: [network.tap(validator, "1000.0")] });
    expect(changesOf(sandbox)).toEqual({
      archived: ["Amulet"],
      created: ["Amulet", "ValidatorRewardCoupon", "MemberTraffic"],
    });
    expect(sandbox.payloadOf(MemberTraffic, result.purchasedTraffic)).toEqual({
      dso,
      memberId: MEMBER_ID,
      synchronizerId: TEST_SYNCHRONIZER,
      migrationId: 0n,
      totalPurchased: 200_000n,
      numPurchases: 1n,
      amuletSpent: decimal("666.8"),
      usdSpent: decimal("3.334"),
    });
    expect(network.burnCoupons()).toEqual([
      { dso, user: validator, amount: decimal("666.8"), round: { number: 1n } },
    ]);
    expect(result).toMatchObject({ round: { number: 1n }, amuletPaid: decimal("666.8") });
    expect(result.meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/burned", "666.8"],
        ["splice.lfdecentralizedtrust.org/reason", "traffic purchase"],
        ["splice.lfdecentralizedtrust.org/tx-kind", "burn"],
      ],
    });
    const change = sandbox.payloadOf(Amulet, result.senderChangeAmulet as ContractId);
    expect(change).toMatchObject({ owner: validator, amount: { initialAmount: decimal("333.2") } });
    expect(exercisesOf(sandbox)).toEqual([
      ["AmuletRules_BuyMemberTraffic", [validator]],
      ["OpenMiningRound_Fetch", [validator]],
      ["Archive", [dso, validator]],
      ["Archive", [dso, validator]],
    ]);
  });

  test.each([
    // One coin of round 1 goes, one comes: the holding fee a round of 0.0000190259 ÷ 0.005 stays.
    { coin: "1000.0", value: "-666.8", rate: "0.0" },
    { coin: MIN_TOP_UP_COST, value: "-666.80380518", rate: "-0.00380518" },
  ])(
    "counts the burned coin as gone in the buyer's balance, for a coin of $coin",
    ({ coin, value, rate }) => {
      const network = new WalletNetwork();
      const { summary, senderChangeAmulet } = network.buyTraffic({ inputs: [network.tap(validator, coin)] });
      expect(summary.balanceChanges).toEqual([
        [
          validator,
          { changeToInitialAmountAsOfRoundZero: decimal(value), changeToHoldingFeesRate: decimal(rate) },
        ],
      ]);
      expect(senderChangeAmulet === null).toBe(coin === MIN_TOP_UP_COST);
    },
  );

  test.each([
    // bytes ÷ 10⁶ × price, ÷ price of coin
    { price: "0.005", megabyte: "16.67", bytes: 200_000n, usd: "3.334", coin: "666.8" },
    { price: "0.005", megabyte: "16.67", bytes: 200_001n, usd: "3.33401667", coin: "666.803334" },
    { price: "0.3", megabyte: "16.67", bytes: 200_000n, usd: "3.334", coin: "11.1133333333" },
    { price: "0.7", megabyte: "16.67", bytes: 1_000_000n, usd: "16.67", coin: "23.8142857143" },
    // 3.3340500101400021 is rounded before it is divided: otherwise the last digit would be 8.
    { price: "0.3", megabyte: "16.6700000007", bytes: 200_003n, usd: "3.3340500101", coin: "11.1135000337" },
  ])("costs $coin coin for $bytes bytes at $megabyte a megabyte and $price a coin", (row) => {
    const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
    const { decentralizedSynchronizer: synchronizer } = config;
    const fees = { ...synchronizer.fees, extraTrafficPrice: decimal(row.megabyte) };
    const network = new WalletNetwork({
      amuletPrice: decimal(row.price),
      config: { ...config, decentralizedSynchronizer: { ...synchronizer, fees } },
    });
    const inputs = [network.tap(validator, row.coin)];
    const { amuletPaid, purchasedTraffic } = network.buyTraffic({ inputs, trafficAmount: row.bytes });
    const { amuletSpent, usdSpent } = network.sandbox.payloadOf(MemberTraffic, purchasedTraffic);
    expect([amuletPaid, amuletSpent].map(formatDecimalShort)).toEqual([row.coin, row.coin]);
    expect(formatDecimalShort(usdSpent)).toBe(row.usd);
    expect(coinsOf(network, validator)).toEqual([]);
  });

  test("says what is missing, and burns nothing", () => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, "666.7999999999")];
    expect(rejectionOf(() => network.buyTraffic({ inputs })).context).toEqual({
      error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
      requiredAmount: "0.0000000001",
    });
    expect(coinsOf(network, validator)).toEqual(["666.7999999999"]);
  });

  test("earns a featured buyer no activity marker", () => {
    const network = new WalletNetwork();
    const featuredAppRight = network.feature(validator);
    const inputs = [network.tap(validator, MIN_TOP_UP_COST)];
    const as = network.as(validator);
    network.buyTraffic({ inputs, featuredAppRight, as });
    expect(network.sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
  });

  test("may be for another member, another migration, or another known synchronizer", () => {
    const other = `other-domain::1220${"1".repeat(64)}`;
    const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
    const known = [[TEST_SYNCHRONIZER, {}] as const, [other, {}] as const];
    const requiredSynchronizers = { map: known };
    const decentralizedSynchronizer = { ...config.decentralizedSynchronizer, requiredSynchronizers };
    const network = new WalletNetwork({ config: { ...config, decentralizedSynchronizer } });
    const inputs = [network.tap(alice, MIN_TOP_UP_COST)];
    const order = { memberId: "PAR::someone::1220ef", synchronizerId: other, migrationId: 3n };
    const { purchasedTraffic } = network.buyTraffic({ inputs, provider: alice, ...order });
    expect(network.sandbox.payloadOf(MemberTraffic, purchasedTraffic)).toMatchObject(order);
    expect(network.burnCoupons()).toMatchObject([{ user: alice }]);
  });

  test("refuses less than the smallest purchase, by one byte", () => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, "1000.0")];
    const { context, cause } = rejectionOf(() =>
      network.buyTraffic({ inputs, trafficAmount: MIN_TOP_UP - 1n }),
    );
    expect(context).toEqual({
      error_id: "splice.lfdecentralizedtrust.org/insufficient-topup-amount",
      requestedTopupAmount: "199999",
      minTopupAmount: "200000",
    });
    expect(cause).toContain(
      "The requested top-up amount (199999) is below the minimum allowed (200000). Please increase the amount.",
    );
  });

  test("refuses a synchronizer that the rules do not list, before it looks at the amount", () => {
    const network = new WalletNetwork();
    const order: TrafficOrder = { inputs: [], synchronizerId: `${TEST_SYNCHRONIZER}0`, trafficAmount: 1n };
    expect(rejectionOf(() => network.buyTraffic(order)).context).toEqual({
      error_id: "splice.lfdecentralizedtrust.org/unknown-synchronizer",
      synchronizerId: `${TEST_SYNCHRONIZER}0`,
    });
  });

  test("cannot record traffic of no member, or of a negative migration", () => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, "1000.0")];
    for (const wrong of [{ memberId: "" }, { migrationId: -1n }]) {
      const { context } = rejectionOf(() => network.buyTraffic({ inputs, ...wrong }));
      expect(context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });

  test("wants the DSO that the buyer meant", () => {
    const network = new WalletNetwork();
    const buy = (expectedDso: typeof alice | null) => () => network.buyTraffic({ inputs: [], expectedDso });
    expect(rejectionOf(buy(null)).cause).toContain("Expected DSO party not set by caller.");
    expect(rejectionOf(buy(alice)).cause).toContain(`DSO party expected by caller '${alice}' does not match`);
  });

  test("needs a round that is open", () => {
    const network = new WalletNetwork();
    const { contractId: openMiningRound } = network.openRound(2n);
    const context = network.transferContext({ openMiningRound });
    const argument = {
      inputs: [],
      context,
      provider: validator,
      memberId: MEMBER_ID,
      synchronizerId: TEST_SYNCHRONIZER,
      migrationId: 0n,
      trafficAmount: MIN_TOP_UP,
      expectedDso: network.dso,
    };
    expectTooEarly("openRound.opensAt", () =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_BuyMemberTraffic",
        argument,
        network.as(validator),
      ),
    );
  });

  test("is exercised by the buyer alone, with the buyer's own coin, once", () => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, MIN_TOP_UP_COST)];
    expectUnauthorized(() => network.buyTraffic({ inputs, as: network.as(alice) }));
    const as = network.as(bob, validator);
    expectOtherGroup("Amulet", () => network.buyTraffic({ inputs, provider: bob, as }));
    network.buyTraffic({ inputs });
    expectNotFound(() => network.buyTraffic({ inputs }));
  });
});

describe("AmuletRules_MergeMemberTrafficContracts", () => {
  function merging() {
    const network = new WalletNetwork();
    const merge = (trafficCids: readonly ContractId[], actAs = [network.dso]) =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_MergeMemberTrafficContracts",
        { trafficCids },
        { actAs, disclose: network.disclosures() },
      );
    const traffic = (given: Partial<MemberTraffic>) =>
      network.sandbox.create(
        MemberTraffic,
        {
          dso: network.dso,
          memberId: MEMBER_ID,
          synchronizerId: TEST_SYNCHRONIZER,
          migrationId: 0n,
          totalPurchased: 1n,
          numPurchases: 1n,
          amuletSpent: decimal("1.0"),
          usdSpent: decimal("1.0"),
          ...given,
        },
        { actAs: [given.dso ?? network.dso] },
      );
    return { network, merge, traffic };
  }

  test("adds everything up in one contract", () => {
    const { network, merge, traffic } = merging();
    const { mergedTrafficCid } = merge([
      traffic({ totalPurchased: 200_000n, amuletSpent: decimal("666.8"), usdSpent: decimal("3.334") }),
      traffic({ totalPurchased: 7n, numPurchases: 5n, amuletSpent: decimal("0.0000000001") }),
      traffic({ totalPurchased: 0n, numPurchases: 0n, usdSpent: decimal("0.0000000002") }),
    ]);
    expect(network.sandbox.active(MemberTraffic)).toEqual([
      {
        contractId: mergedTrafficCid,
        payload: {
          dso: network.dso,
          memberId: MEMBER_ID,
          synchronizerId: TEST_SYNCHRONIZER,
          migrationId: 0n,
          totalPurchased: 200_007n,
          numPurchases: 6n,
          amuletSpent: decimal("667.8000000001"),
          usdSpent: decimal("4.3340000002"),
        },
      },
    ]);
  });

  test("takes a single one, but not none", () => {
    const { network, merge, traffic } = merging();
    const { mergedTrafficCid } = merge([traffic({ totalPurchased: 5n })]);
    expect(network.sandbox.payloadOf(MemberTraffic, mergedTrafficCid).totalPurchased).toBe(5n);
    expect(rejectionOf(() => merge([])).cause).toBe(
      `${GENERAL_ERROR}At least one MemberTraffic contract is needed for a merge`,
    );
  });

  test.each([{ memberId: "PAR::other::1220" }, { synchronizerId: "other::1220" }, { migrationId: 1n }])(
    "does not mix in traffic of %o",
    (other) => {
      const { network, merge, traffic } = merging();
      const [first, second] = [traffic({}), traffic(other)];
      expectOtherGroup("MemberTraffic", () => merge([first, second]));
      expect(network.sandbox.active(MemberTraffic)).toHaveLength(2);
    },
  );

  test("shows both groups when they differ", () => {
    const { network, merge, traffic } = merging();
    const [first, second] = [traffic({}), traffic({ migrationId: 1n })];
    const group = (migrationId: number) =>
      `ForMemberTraffic {dso = '${network.dso}', memberId = "${MEMBER_ID}", ` +
      `synchronizerId = "${TEST_SYNCHRONIZER}", migrationId = ${migrationId}}`;
    expect(rejectionOf(() => merge([first, second])).cause).toBe(
      `${GENERAL_ERROR}Contract group identifier mismatch: expected ${group(0)}, got ${group(1)} ` +
        `for MemberTraffic ${second}`,
    );
  });

  test("does not take traffic of another DSO, even as the first", () => {
    const { merge, traffic, network } = merging();
    const other = testParty("other-dso");
    const foreign = traffic({ dso: other });
    expectUnauthorized(() => merge([foreign], [network.dso, other]));
  });

  test("fails rather than overflow", () => {
    const { merge, traffic } = merging();
    const cids = [traffic({ totalPurchased: MAX_INT64 }), traffic({ totalPurchased: 1n })];
    const { context } = rejectionOf(() => merge(cids));
    expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError");
  });

  test("takes no contract twice, and is allowed to the DSO alone", () => {
    const { merge, traffic } = merging();
    const only = traffic({});
    expect(rejectionOf(() => merge([only, only])).code).toBe("CONTRACT_NOT_ACTIVE");
    expectUnauthorized(() => merge([only], [alice]));
  });
});
