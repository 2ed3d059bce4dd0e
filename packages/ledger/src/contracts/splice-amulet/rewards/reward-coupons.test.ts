import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { createClosedRound, createIssuingRound, Rewards } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { AnyTemplateDeclaration } from "../../../engine/declaration.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { ValidatorRight } from "../declarations/amulet.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../declarations/reward-coupons.ts";
import { ValidatorFaucetCoupon, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const validator = testParty("validator");
const stranger = testParty("stranger");
const other = testParty("OTHER-DSO");

type Expire = (
  network: SandboxNetwork,
  cid: ContractId,
  closed: ContractId,
  actAs: readonly PartyId[],
) => unknown;

const kinds: readonly {
  readonly template: AnyTemplateDeclaration;
  readonly make: (rewards: Rewards) => ContractId;
  readonly expire: Expire;
  readonly result: unknown;
  /** The parties that see the coupon besides the DSO. */
  readonly seenBy: readonly PartyId[];
}[] = [
  {
    template: AppRewardCoupon,
    make: (rewards) => rewards.app(alice, "5.7", { beneficiary: bob }),
    expire: ({ sandbox }, cid, closedRoundCid, actAs) =>
      sandbox.exercise(AppRewardCoupon, cid, "AppRewardCoupon_DsoExpire", { closedRoundCid }, { actAs }),
    result: { featured: true, amount: decimal("5.7") },
    seenBy: [alice, bob],
  },
  {
    template: ValidatorRewardCoupon,
    make: (rewards) => rewards.validator(alice, "2.3"),
    expire: ({ sandbox }, cid, closedRoundCid, actAs) =>
      sandbox.exercise(
        ValidatorRewardCoupon,
        cid,
        "ValidatorRewardCoupon_DsoExpire",
        { closedRoundCid },
        { actAs },
      ),
    result: { amount: decimal("2.3") },
    seenBy: [alice],
  },
  {
    template: SvRewardCoupon,
    make: (rewards) => rewards.sv(alice, 10n, bob),
    expire: ({ sandbox }, cid, closedRoundCid, actAs) =>
      sandbox.exercise(SvRewardCoupon, cid, "SvRewardCoupon_DsoExpire", { closedRoundCid }, { actAs }),
    result: { weight: 10n },
    seenBy: [alice, bob],
  },
  {
    template: ValidatorFaucetCoupon,
    make: (rewards) => rewards.faucet(alice),
    expire: ({ sandbox }, cid, closedRoundCid, actAs) =>
      sandbox.exercise(
        ValidatorFaucetCoupon,
        cid,
        "ValidatorFaucetCoupon_DsoExpire",
        { closedRoundCid },
        { actAs },
      ),
    result: {},
    seenBy: [alice],
  },
  {
    template: ValidatorLivenessActivityRecord,
    make: (rewards) => rewards.liveness(alice),
    expire: ({ sandbox }, cid, closedRoundCid, actAs) =>
      sandbox.exercise(
        ValidatorLivenessActivityRecord,
        cid,
        "ValidatorLivenessActivityRecord_DsoExpire",
        { closedRoundCid },
        { actAs },
      ),
    result: {},
    seenBy: [alice],
  },
];

describe.each(kinds)("$template.entity", ({ template, make, expire, result, seenBy }) => {
  test("is expired by the DSO once its round is closed, and only once", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network));
    const closed = createClosedRound(network, 0n);
    expect(expire(network, coupon, closed, [network.dso])).toEqual(result);
    expect(changesOf(network.sandbox)).toEqual({ archived: [template.entity], created: [] });
    expect(network.sandbox.isActive(closed)).toBe(true);
    expectNotFound(() => expire(network, coupon, closed, [network.dso]));
  });

  test("does not expire by another round, nor by one that still issues", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network));
    const next = createClosedRound(network, 1n);
    expectOtherGroup("ClosedMiningRound", () => expire(network, coupon, next, [network.dso]));
    const issuing = createIssuingRound(network, 0n);
    expect(rejectionOf(() => expire(network, coupon, issuing, [network.dso])).code).toBe(
      "WRONGLY_TYPED_CONTRACT",
    );
    const foreign = createClosedRound(network, 0n, { dso: other });
    expectUnauthorized(() => expire(network, coupon, foreign, [network.dso, other]));
    expect(network.sandbox.isActive(coupon)).toBe(true);
  });

  test("is seen by those it concerns, and expired by none of them", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network));
    const closed = createClosedRound(network, 0n);
    for (const party of seenBy) expectUnauthorized(() => expire(network, coupon, closed, [party]));
    expectNotFound(() => expire(network, coupon, closed, [stranger]));
  });
});

describe("a coupon's amount", () => {
  const network = new SandboxNetwork();
  const { dso, sandbox } = network;
  const rewards = new Rewards(network);
  const smallest = "0.0000000001";

  test.each([
    ["AppRewardCoupon", (amount: string) => rewards.app(alice, amount)],
    ["ValidatorRewardCoupon", (amount: string) => rewards.validator(alice, amount)],
    ["UnclaimedReward", (amount: string) => rewards.unclaimed(amount)],
    ["UnclaimedActivityRecord", (amount: string) => rewards.activity(alice, amount)],
    ["UnclaimedDevelopmentFundCoupon", (amount: string) => rewards.unclaimedFund(amount)],
    ["DevelopmentFundCoupon", (amount: string) => rewards.fund(alice, amount)],
  ])("is above zero: %s", (_entity, make) => {
    expect(sandbox.isActive(make(smallest))).toBe(true);
    for (const amount of ["0.0", `-${smallest}`]) {
      expect(rejectionOf(() => make(amount)).context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });

  test("is a weight above zero for an SV's", () => {
    expect(sandbox.isActive(rewards.sv(alice, 1n))).toBe(true);
    for (const weight of [0n, -1n]) {
      expect(rejectionOf(() => rewards.sv(alice, weight)).context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });

  test("is created by the DSO alone: no party makes a coupon for itself", () => {
    const round = { number: 0n };
    const amount = decimal("1.0");
    const as = { actAs: [alice] };
    const app = { dso, provider: alice, featured: true, amount, round, beneficiary: null };
    expectUnauthorized(() => sandbox.create(AppRewardCoupon, app, as));
    expectUnauthorized(() => sandbox.create(ValidatorRewardCoupon, { dso, user: alice, amount, round }, as));
    const sv = { dso, sv: alice, beneficiary: alice, round, weight: 1n };
    expectUnauthorized(() => sandbox.create(SvRewardCoupon, sv, as));
    expectUnauthorized(() => sandbox.create(UnclaimedReward, { dso, amount }, as));
    const live = { dso, validator: alice, round };
    expectUnauthorized(() => sandbox.create(ValidatorLivenessActivityRecord, live, as));
    expectUnauthorized(() => sandbox.create(ValidatorFaucetCoupon, live, as));
    expectUnauthorized(() => sandbox.create(ValidatorFaucetCoupon, live, { actAs: [dso] }));
  });
});

describe("a validator's use of a user's coupon", () => {
  function setUp() {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const coupon = new Rewards(network).validator(alice, "1.0");
    const grant = (user: PartyId, by: PartyId, of: PartyId = dso) =>
      sandbox.create(ValidatorRight, { dso: of, user, validator: by }, { actAs: [user, by] });
    const choice = "ValidatorRewardCoupon_ArchiveAsValidator";
    const use = (rightCid: ContractId, actAs: readonly PartyId[], by: PartyId = validator) =>
      sandbox.exercise(ValidatorRewardCoupon, coupon, choice, { validator: by, rightCid }, { actAs });
    return { network, coupon, grant, use };
  }

  test("takes the DSO, the validator and the user's right", () => {
    const { network, coupon, grant, use } = setUp();
    const right = grant(alice, validator);
    expectUnauthorized(() => use(right, [network.dso]));
    expectUnauthorized(() => use(right, [validator, alice]));
    expect(use(right, [network.dso, validator])).toEqual({});
    expect(network.sandbox.isActive(coupon)).toBe(false);
  });

  test("does not take another right", () => {
    const { network, grant, use } = setUp();
    const { dso } = network;
    const mismatch = (submit: () => unknown) =>
      expect(rejectionOf(submit).cause).toContain("Contract mismatch: expected ValidatorRight {dso = ");
    mismatch(() => use(grant(bob, validator), [dso, validator]));
    mismatch(() => use(grant(alice, validator, other), [dso, validator]));
    expectUnauthorized(() => use(grant(alice, bob), [dso, validator, bob]));
  });
});

describe("an SV's coupon", () => {
  test("is given up by its beneficiary alone", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const coupon = new Rewards(network).sv(alice, 10n, bob);
    const giveUp = (actAs: readonly PartyId[]) =>
      sandbox.exercise(SvRewardCoupon, coupon, "SvRewardCoupon_ArchiveAsBeneficiary", {}, { actAs });
    expectUnauthorized(() => giveUp([dso]));
    expectUnauthorized(() => giveUp([bob]));
    expect(giveUp([alice])).toEqual({});
    expect(sandbox.isActive(coupon)).toBe(false);
  });
});

describe("an unclaimed activity record", () => {
  test.each([
    { at: HOUR - 1n, expires: false },
    { at: HOUR, expires: true },
    { at: HOUR + 1n, expires: true },
  ])("is unclaimed again once it expired: $at µs later, $expires", ({ at, expires }) => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const record = new Rewards(network).activity(alice, "42.5", addDuration(sandbox.now, HOUR));
    sandbox.advance(at);
    const expire = (actAs: readonly PartyId[]) =>
      sandbox.exercise(UnclaimedActivityRecord, record, "UnclaimedActivityRecord_DsoExpire", {}, { actAs });
    expectUnauthorized(() => expire([alice]));
    if (!expires) {
      expectTooEarly("UnclaimedActivityRecord.expiresAt", () => expire([dso]));
      return;
    }
    const { unclaimedRewardCid } = expire([dso]);
    expect(sandbox.payloadOf(UnclaimedReward, unclaimedRewardCid)).toEqual({ dso, amount: decimal("42.5") });
    expect(sandbox.isActive(record)).toBe(false);
  });
});
