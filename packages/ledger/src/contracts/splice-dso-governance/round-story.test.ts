// Four SVs and three rounds, from the first coupon to the last one that nobody minted. A round is 10 minutes long and
// issues 761035.0076103501: 38051.7503805175 for the fund, 36149.1628614916 for validators, 108447.4885844749 for
// apps, 578386.6057838661 for SVs. A coin is worth half a cent.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { DsoFixture, TICK } from "../../../testing/dso-fixture.ts";
import { NameOwner } from "../../../testing/dso-names.ts";
import { expectNotFound, expectUnmet } from "../../../testing/rejection.ts";
import { expectRoundInvariants } from "../../../testing/round-invariants.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { SvRounds } from "../../../testing/sv-rounds.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { type Decimal, decimal, formatDecimal, subtract, sum } from "../../values/decimal.ts";
import { MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import {
  FeaturedAppActivityMarker,
  FeaturedAppRight,
  ValidatorRight,
} from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { UnclaimedDevelopmentFundCoupon } from "../splice-amulet/declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../splice-amulet/declarations/reward-coupons.ts";
import { ClosedMiningRound, SummarizingMiningRound } from "../splice-amulet/declarations/round.ts";
import {
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "../splice-amulet/declarations/validator-license.ts";
import { FeaturedAppRightV1 } from "../splice-api-featured-app-v1/featured-app-right.ts";
import { onDsoRules } from "./confirmed-actions.ts";

const network = new DsoFixture();
const { sandbox, dso } = network;
const rounds = new SvRounds(network);
const alice = new NameOwner(network, "alice");
const [validator, lazyValidator] = [testParty("validator"), testParty("lazy-validator")];
const [app, plainApp, carol] = [testParty("app"), testParty("plain-app"), testParty("carol")];

const show = (amounts: readonly Decimal[]) => amounts.map(formatDecimal);
const unclaimed = () => show(sandbox.active(UnclaimedReward).map(({ payload }) => payload.amount));
const fund = () => show(sandbox.active(UnclaimedDevelopmentFundCoupon).map(({ payload }) => payload.amount));

function onboard(sponsor: PartyId, newValidator: PartyId): void {
  const argument = { sponsor, validator: newValidator, version: "0.6.2", contactPoint: "ops@example.com" };
  network.bySv("DsoRules_OnboardValidator", argument, sponsor);
}

function recordLiveness(ofValidator: PartyId, round: bigint): void {
  const license = sandbox.active(ValidatorLicense).find(({ payload }) => payload.validator === ofValidator);
  if (license === undefined) throw new Error(`${ofValidator} has no license`);
  const openRoundCid = network.openRound(round).contractId;
  const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
  const as = { actAs: [ofValidator], disclose: [openRoundCid] };
  sandbox.exercise(ValidatorLicense, license.contractId, choice, { openRoundCid }, as);
}

function buyTraffic(): void {
  alice.tap("10000.0");
  const [coin] = alice.coins();
  if (coin === undefined) throw new Error("alice has no coin");
  const openMiningRound = network.openRound(0n).contractId;
  const argument = {
    inputs: [{ tag: "InputAmulet", value: coin.contractId }] as const,
    context: { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null },
    provider: alice.user,
    memberId: "PAR::alice",
    synchronizerId: "global::1220ab",
    migrationId: 0n,
    trafficAmount: 200_000n,
    expectedDso: dso,
  };
  const as = { actAs: [alice.user], disclose: [network.amuletRules, openMiningRound] };
  sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_BuyMemberTraffic", argument, as);
}

function recordActivity(): void {
  const dsoAction = { tag: "SRARC_GrantFeaturedAppRight", value: { provider: app } } as const;
  network.agree(onDsoRules(dsoAction));
  const right = network.only(FeaturedAppRight).contractId;
  const beneficiaries = [{ beneficiary: app, weight: decimal("1.0") }];
  const choice = "FeaturedAppRight_CreateActivityMarker";
  sandbox.exercise(FeaturedAppRightV1, right, choice, { beneficiaries }, { actAs: [app] });
  const markerCids = sandbox.active(FeaturedAppActivityMarker).map(({ contractId }) => contractId);
  const argument = { markerCids, openMiningRoundCid: network.openRound(0n).contractId, observers: null };
  const conversion = { amuletRulesCid: network.amuletRules, argument };
  network.bySv("DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", conversion, network.sv(1));
}

function svCoupon(beneficiary: PartyId): ContractId {
  const found = sandbox.active(SvRewardCoupon).find(({ payload }) => payload.beneficiary === beneficiary);
  if (found === undefined) throw new Error(`${beneficiary} has no coupon`);
  return found.contractId;
}

function recordOf(ofValidator: PartyId): ContractId {
  const records = sandbox.active(ValidatorLivenessActivityRecord);
  const found = records.find(({ payload }) => payload.validator === ofValidator);
  if (found === undefined) throw new Error(`${ofValidator} has no record`);
  return found.contractId;
}

const started = sandbox.now;
afterEach(() => expectRoundInvariants(network));

describe("round 0, while it is open", () => {
  beforeAll(() => {
    onboard(network.sv(0), validator);
    onboard(network.sv(1), lazyValidator);
    recordLiveness(validator, 0n);
    recordLiveness(lazyValidator, 0n);
    buyTraffic();
    recordActivity();
    const coupon = { dso, provider: plainApp, featured: false, amount: decimal("100.0"), beneficiary: null };
    sandbox.create(AppRewardCoupon, { ...coupon, round: { number: 0n } }, network.asDso());
    for (const sv of network.svs.slice(0, 3)) rounds.receive(sv);
    rounds.receive(network.sv(3), [{ beneficiary: carol, weight: 2_500n }]);
  });

  test("fills with coupons of every kind", () => {
    expect(network.only(ValidatorRewardCoupon).payload.amount).toBe(decimal("666.8"));
    const apps = sandbox.active(AppRewardCoupon).map(({ payload }) => payload);
    expect(apps.map(({ featured, amount }) => [featured, formatDecimal(amount)])).toEqual([
      [true, "200.0000000000"],
      [false, "100.0000000000"],
    ]);
    const weights = sandbox.active(SvRewardCoupon).map(({ payload }) => payload.weight);
    expect(weights).toEqual([10_000n, 10_000n, 10_000n, 2_500n, 7_500n]);
  });

  test("has 200,000 bytes of traffic burn 3.334 dollars: of 10,000 coins 666.8 are gone", () => {
    expect(formatDecimal(rounds.supply())).toBe("9333.2000000000");
  });

  test("is received once by each SV; two of them go on with round 1", () => {
    for (const sv of network.svs.slice(0, 2)) expect(rounds.receive(sv)).toHaveLength(1);
    // Round 2 is not open yet.
    expect(rounds.receive(network.sv(0))).toBeUndefined();
    expect(rounds.left(1n).svRewardCouponCids).toHaveLength(2);
  });
});

describe("round 0, once it is over", () => {
  beforeAll(() => {
    network.advanceRounds({ sv: network.sv(2) });
  });

  test("is counted alike by every SV", () => {
    expect(sandbox.now).toBe(addDuration(started, TICK));
    expect(rounds.summary(0n)).toEqual({
      totalValidatorRewardCoupons: decimal("666.8"),
      totalFeaturedAppRewardCoupons: decimal("200.0"),
      totalUnfeaturedAppRewardCoupons: decimal("100.0"),
      totalSvRewardWeight: 40_000n,
      optTotalValidatorFaucetCoupons: 2n,
    });
  });

  test("does not issue while one of three counted otherwise, or only two have counted", () => {
    const right = rounds.startIssuingAction(0n);
    const wrong = rounds.startIssuingAction(0n, { ...rounds.summary(0n), totalSvRewardWeight: 39_999n });
    const agreeing = [network.confirm(right, network.sv(0)), network.confirm(right, network.sv(1))];
    const other = network.confirm(wrong, network.sv(2));
    expectUnmet("Enough confirmations", () => network.execute(right, agreeing));
    expectUnmet("Confirmed action matches", () => network.execute(right, [...agreeing, other]));
    expectUnmet("Confirmed action matches", () => network.execute(wrong, [...agreeing, other]));
    expect(network.only(SummarizingMiningRound).payload.round.number).toBe(0n);
  });

  test("issues what a quorum has counted, and puts aside what cannot be earned and the fund's share", () => {
    const action = rounds.startIssuingAction(0n);
    network.agree(action);
    const issuing = rounds.issuing(0n);
    const opensAt = addDuration(started, 2n * TICK);
    expect(issuing).toEqual({
      dso,
      round: { number: 0n },
      issuancePerValidatorRewardCoupon: decimal("0.2"),
      issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
      issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
      issuancePerSvRewardCoupon: decimal("14.4596651446"),
      opensAt,
      targetClosesAt: addDuration(opensAt, 2n * TICK),
      optIssuancePerValidatorFaucetCoupon: decimal("570.0"),
    });
    // 36149.1628614916 − 133.36 − 1140 for validators, 108447.4885844749 − 60 − 120 − 19880 for apps.
    expect(unclaimed()).toEqual(["123263.2914459665"]);
    expect(fund()).toEqual(["38051.7503805175"]);
    expect(sandbox.active(SummarizingMiningRound)).toEqual([]);
    // However many confirm it again, the round is used up: nothing is issued twice.
    expectNotFound(() => network.agree(action));
  });
});

describe("round 0, while it issues", () => {
  beforeAll(() => {
    network.advanceRounds({ sv: network.sv(3) });
    rounds.startIssuing(1n);
  });

  test("shares all of the SVs' part of round 1 among the two SVs that received it", () => {
    expect(sandbox.now).toBe(addDuration(started, 2n * TICK));
    expect(rounds.issuing(1n).issuancePerSvRewardCoupon).toBe(decimal("28.9193302892"));
    // Nothing else was earned: 36149.1628614916 + 108447.4885844749.
    expect(unclaimed()).toEqual(["123263.2914459665", "144596.6514459665"]);
    expect(fund()).toEqual(["38051.7503805175", "38051.7503805175"]);
  });

  test.each([
    [0, "153929.8514460000"],
    [1, "298526.5028920000"],
  ])("mints 144596.651446 for SV %i", (index, supply) => {
    const sv = network.sv(index);
    const mine = sandbox
      .active(SvRewardCoupon)
      .filter(({ payload }) => payload.beneficiary === sv && payload.round.number === 0n);
    rounds.mint(
      sv,
      mine.map(({ contractId }) => ({ tag: "InputSvRewardCoupon", value: contractId })),
    );
    expect(formatDecimal(rounds.supply())).toBe(supply);
  });

  test("mints 20000 for the featured app", () => {
    const coupon = sandbox.active(AppRewardCoupon).find(({ payload }) => payload.featured);
    if (coupon === undefined) throw new Error("the app has no coupon");
    rounds.mint(app, [{ tag: "InputAppRewardCoupon", value: coupon.contractId }]);
    expect(formatDecimal(rounds.supply())).toBe("318526.5028920000");
  });

  test("mints 703.36 for the validator: its record, and a fifth of what its user burned", () => {
    const right = { dso, user: alice.user, validator };
    const rightCid = sandbox.create(ValidatorRight, right, { actAs: [alice.user, validator] });
    const inputs = [
      { tag: "InputValidatorRewardCoupon", value: network.only(ValidatorRewardCoupon).contractId },
      { tag: "InputValidatorLivenessActivityRecord", value: recordOf(validator) },
    ] as const;
    rounds.mint(validator, inputs, { validatorRights: [[alice.user, rightCid]] });
    expect(formatDecimal(rounds.supply())).toBe("319229.8628920000");
  });
});

describe("round 0, once it has issued for two ticks", () => {
  test("is closed, and not a moment earlier", () => {
    sandbox.now = addDuration(started, 4n * TICK - MICROSECOND);
    expectUnmet("Mining round is past targetClosesAt", () => rounds.close(0n, network.sv(1)));
    sandbox.advance(MICROSECOND);
    rounds.close(0n, network.sv(1));
    expect(network.only(ClosedMiningRound).payload.round.number).toBe(0n);
    expect(rounds.isArchivable(0n)).toBe(false);
  });

  test("leaves unminted rewards as unclaimed: an app's 60, half of the SVs' part, a validator's 570", () => {
    expect(svCoupon(carol)).toMatch(/^00/);
    expect(rounds.claimExpired(0n, network.sv(2))).toHaveLength(3);
    expect(unclaimed().slice(2)).toEqual(["60.0000000000", "289193.3028920000", "570.0000000000"]);
    expect(sandbox.active(AppRewardCoupon)).toEqual([]);
    expect(sandbox.active(ValidatorLivenessActivityRecord)).toEqual([]);
    expect(sandbox.active(SvRewardCoupon).map(({ payload }) => payload.round.number)).toEqual([1n, 1n]);
    // Nothing was minted by that.
    expect(formatDecimal(rounds.supply())).toBe("319229.8628920000");
  });

  test("has given out what a round issues, but for the rounding of the SVs' part", () => {
    const minted = subtract(rounds.supply(), decimal("9333.2"));
    const [atStart = "0", , ...expired] = unclaimed();
    const total = sum([minted, ...[atStart, ...expired].map(decimal), decimal(fund()[0] ?? "0")]);
    // 40,000 times 14.4596651446 is a little more than 578386.6057838661.
    expect(formatDecimal(subtract(total, decimal("761035.0076103501")))).toBe("0.0000001339");
  });

  test("is archived, and nothing is left of it", () => {
    expect(rounds.isArchivable(0n)).toBe(true);
    rounds.archive(0n);
    expect(sandbox.active(ClosedMiningRound)).toEqual([]);
    expect(rounds.left(0n)).toEqual({
      validatorRewardCouponCids: [],
      appCouponCids: [],
      svRewardCouponCids: [],
      livenessRecordCids: [],
    });
  });
});

describe("round 2, without any rewards", () => {
  test("is unclaimed as a whole, but for the fund's share", () => {
    network.advanceRounds();
    const issuing = rounds.startIssuing(2n);
    // Nobody can mint by these figures: they are the caps, and the SVs' whole part.
    expect(issuing.issuancePerSvRewardCoupon).toBe(decimal("578386.6057838661"));
    expect(unclaimed().at(-1)).toBe("722983.2572298326");
    expect(fund()).toHaveLength(3);
    expect(formatDecimal(rounds.supply())).toBe("319229.8628920000");
  });
});
