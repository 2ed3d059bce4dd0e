import { describe, expect, test } from "vitest";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectTooEarly,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Rewards } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY, HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, type Time } from "../../../values/time.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { DevelopmentFundCoupon, UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const manager = testParty("fund-manager");
const alice = testParty("alice");
const bob = testParty("bob");
const other = testParty("OTHER-DSO");

function managedNetwork(optDevelopmentFundManager: PartyId | null = manager): SandboxNetwork {
  const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
  return new SandboxNetwork({ config: { ...config, optDevelopmentFundManager } });
}

interface Gift {
  readonly from: readonly ContractId[];
  readonly amount?: string;
  readonly expiresAt?: Time;
  readonly fundManager?: PartyId;
}

function allocate(network: SandboxNetwork, gift: Gift, actAs = [gift.fundManager ?? manager]) {
  const { sandbox } = network;
  return sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_AllocateDevelopmentFundCoupon",
    {
      unclaimedDevelopmentFundCouponCids: gift.from,
      beneficiary: alice,
      amount: decimal(gift.amount ?? "10.0"),
      expiresAt: gift.expiresAt ?? addDuration(sandbox.now, DAY),
      reason: "fixed a bug",
      fundManager: gift.fundManager ?? manager,
    },
    // The manager sees the fund's coupons by disclosure, as the DSO shows them to it.
    { actAs, disclose: [...network.disclosures(), ...gift.from] },
  );
}

describe("a gift from the development fund", () => {
  test("is a coupon for the beneficiary; what is left stays in the fund", () => {
    const network = managedNetwork();
    const { dso, sandbox } = network;
    const rewards = new Rewards(network);
    const from = [rewards.unclaimedFund("38051.7503805175"), rewards.unclaimedFund("0.5")];
    const result = allocate(network, { from });
    expect(sandbox.payloadOf(DevelopmentFundCoupon, result.developmentFundCouponCid)).toEqual({
      dso,
      beneficiary: alice,
      fundManager: manager,
      amount: decimal("10.0"),
      expiresAt: addDuration(sandbox.now, DAY),
      reason: "fixed a bug",
    });
    expect(sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([
      {
        contractId: result.optUnclaimedDevelopmentFundCouponCid,
        payload: { dso, amount: decimal("38042.2503805175") },
      },
    ]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["UnclaimedDevelopmentFundCoupon", "UnclaimedDevelopmentFundCoupon"],
      created: ["UnclaimedDevelopmentFundCoupon", "DevelopmentFundCoupon"],
    });
  });

  test("of everything leaves nothing", () => {
    const network = managedNetwork();
    const from = [new Rewards(network).unclaimedFund("10.0")];
    expect(allocate(network, { from }).optUnclaimedDevelopmentFundCouponCid).toBeNull();
    expect(network.sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([]);
  });

  test("of nearly everything leaves the last digit", () => {
    const network = managedNetwork();
    allocate(network, { from: [new Rewards(network).unclaimedFund("10.0000000001")] });
    const left = network.sandbox.active(UnclaimedDevelopmentFundCoupon);
    expect(left.map(({ payload }) => payload.amount)).toEqual([decimal("0.0000000001")]);
  });

  test("cannot be more than there is: the message says what is missing", () => {
    const network = managedNetwork();
    const from = [new Rewards(network).unclaimedFund("9.9999999999")];
    const expected = "insufficient amount to cover the requested allocation: 0.0000000001";
    expect(rejectionOf(() => allocate(network, { from })).cause).toBe(`${GENERAL_ERROR}${expected}`);
    expect(network.sandbox.active(UnclaimedDevelopmentFundCoupon)).toHaveLength(1);
    expect(rejectionOf(() => allocate(network, { from: [] })).cause).toContain(": 10.0");
  });

  test.each(["0.0", "-1.0"])("is more than nothing: not %s", (amount) => {
    const network = managedNetwork();
    const from = [new Rewards(network).unclaimedFund("10.0")];
    expect(rejectionOf(() => allocate(network, { from, amount })).context["error_id"]).toBe(
      PRECONDITION_FAILED,
    );
  });

  test("uses each of the fund's coupons once", () => {
    const network = managedNetwork();
    const coupon = new Rewards(network).unclaimedFund("10.0");
    expect(rejectionOf(() => allocate(network, { from: [coupon, coupon] })).code).toBe("CONTRACT_NOT_ACTIVE");
  });

  test("can be made by the configured manager alone", () => {
    const network = managedNetwork();
    const from = [new Rewards(network).unclaimedFund("10.0")];
    const label = `controller is the configured Development Fund manager: '${manager}'`;
    expectUnmet(label, () => allocate(network, { from, fundManager: bob }));
    expectUnauthorized(() => allocate(network, { from }, [bob]));
    expectUnauthorized(() => allocate(network, { from }, [network.dso]));
  });

  test("is refused if no manager is configured", () => {
    const network = managedNetwork(null);
    const from = [new Rewards(network).unclaimedFund("10.0")];
    const expected =
      "DevelopmentFundCoupon cannot be allocated without a Development Fund manager configured";
    expect(rejectionOf(() => allocate(network, { from })).cause).toBe(`${GENERAL_ERROR}${expected}`);
  });

  test.each([
    { at: -1n, possible: false },
    { at: 0n, possible: false },
    { at: 1n, possible: true },
  ])("expires later than now: $at µs from now, $possible", ({ at, possible }) => {
    const network = managedNetwork();
    const from = [new Rewards(network).unclaimedFund("10.0")];
    const expiresAt = addDuration(network.sandbox.now, at);
    const submit = () => allocate(network, { from, expiresAt });
    if (possible) submit();
    else expectTooLate("DevelopmentFundCoupon.expiresAt", submit);
  });
});

const withdrawal = { reason: "changed my mind" };
const ends = [
  {
    choice: "DevelopmentFundCoupon_Withdraw",
    by: manager,
    not: alice,
    end: ({ sandbox }: SandboxNetwork, cid: ContractId, actAs: readonly PartyId[]) =>
      sandbox.exercise(DevelopmentFundCoupon, cid, "DevelopmentFundCoupon_Withdraw", withdrawal, { actAs }),
  },
  {
    choice: "DevelopmentFundCoupon_Reject",
    by: alice,
    not: manager,
    end: ({ sandbox }: SandboxNetwork, cid: ContractId, actAs: readonly PartyId[]) =>
      sandbox.exercise(DevelopmentFundCoupon, cid, "DevelopmentFundCoupon_Reject", withdrawal, { actAs }),
  },
] as const;

function expire({ sandbox }: SandboxNetwork, cid: ContractId, actAs: readonly PartyId[]) {
  return sandbox.exercise(DevelopmentFundCoupon, cid, "DevelopmentFundCoupon_DsoExpire", {}, { actAs });
}

function given(network: SandboxNetwork): ContractId {
  const expiresAt = addDuration(network.sandbox.now, HOUR);
  return new Rewards(network).fund(alice, "42.0", { fundManager: manager, expiresAt });
}

describe.each(ends)("$choice", ({ by, not, end }) => {
  test.each([
    { at: HOUR - 1n, possible: true },
    { at: HOUR, possible: false },
    { at: HOUR + 1n, possible: false },
  ])("brings the amount back until the coupon expires: $at µs later, $possible", ({ at, possible }) => {
    const network = managedNetwork();
    const coupon = given(network);
    network.sandbox.advance(at);
    if (!possible) {
      expectTooLate("DevelopmentFundCoupon.expiresAt", () => end(network, coupon, [by]));
      return;
    }
    const { unclaimedDevelopmentFundCouponCid } = end(network, coupon, [by]);
    expect(network.sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([
      {
        contractId: unclaimedDevelopmentFundCouponCid,
        payload: { dso: network.dso, amount: decimal("42.0") },
      },
    ]);
    expectNotFound(() => end(network, coupon, [by]));
  });

  test("is exercised by one party alone", () => {
    const network = managedNetwork();
    const coupon = given(network);
    expectUnauthorized(() => end(network, coupon, [not]));
    expectUnauthorized(() => end(network, coupon, [network.dso]));
    expectNotFound(() => end(network, coupon, [bob]));
  });
});

describe("DevelopmentFundCoupon_DsoExpire", () => {
  test.each([
    { at: HOUR - 1n, possible: false },
    { at: HOUR, possible: true },
    { at: HOUR + 1n, possible: true },
  ])("brings the amount back once the coupon expired: $at µs later, $possible", ({ at, possible }) => {
    const network = managedNetwork();
    const { dso, sandbox } = network;
    const coupon = given(network);
    sandbox.advance(at);
    expectUnauthorized(() => expire(network, coupon, [alice, manager]));
    if (!possible) {
      expectTooEarly("DevelopmentFundCoupon.expiresAt", () => expire(network, coupon, [dso]));
      return;
    }
    expire(network, coupon, [dso]);
    expect(sandbox.active(UnclaimedDevelopmentFundCoupon).map(({ payload }) => payload)).toEqual([
      { dso, amount: decimal("42.0") },
    ]);
    expect(sandbox.isActive(coupon)).toBe(false);
  });
});

describe("unclaimed coupons of the fund", () => {
  const merge = (network: SandboxNetwork, cids: readonly ContractId[], actAs: readonly PartyId[]) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_MergeUnclaimedDevelopmentFundCoupons",
      { unclaimedDevelopmentFundCouponCids: cids },
      { actAs, disclose: network.disclosures() },
    );

  test("are merged into one of their sum, by the DSO", () => {
    const network = managedNetwork();
    const { dso, sandbox } = network;
    const rewards = new Rewards(network);
    const cids = ["1.0000000001", "2.5"].map((amount) => rewards.unclaimedFund(amount));
    expectUnauthorized(() => merge(network, cids, [manager]));
    const { unclaimedDevelopmentFundCouponCid: contractId } = merge(network, cids, [dso]);
    expect(sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([
      { contractId, payload: { dso, amount: decimal("3.5000000001") } },
    ]);
  });

  test("are merged from two on, each once, and only the DSO's own", () => {
    const network = managedNetwork();
    const { dso } = network;
    const only = new Rewards(network).unclaimedFund("1.0");
    for (const cids of [[], [only]]) {
      const label = "More than one unclaimed development fund coupon contract";
      expectUnmet(label, () => merge(network, cids, [dso]));
    }
    expect(rejectionOf(() => merge(network, [only, only], [dso])).code).toBe("CONTRACT_NOT_ACTIVE");
    const foreign = new Rewards(network, { dso: other }).unclaimedFund("1.0");
    expectUnauthorized(() => merge(network, [only, foreign], [dso, other]));
  });
});
