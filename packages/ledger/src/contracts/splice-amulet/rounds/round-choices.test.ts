import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { createClosedRound, createIssuingRound } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { MINUTE } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, time } from "../../../values/time.ts";
import type { IssuanceConfig } from "../declarations/amulet-config.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";
import type { OpenMiningRoundSummary } from "../declarations/issuance.ts";
import { UnclaimedReward } from "../declarations/reward-coupons.ts";
import { ClosedMiningRound, IssuingMiningRound, SummarizingMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const other = testParty("OTHER-DSO");

/** Activity whose pools are all used up, without a fund (see the scenario of rewards that all are claimed). */
const everything: OpenMiningRoundSummary = {
  totalValidatorRewardCoupons: decimal("30000000.0"),
  totalFeaturedAppRewardCoupons: decimal("4000.0"),
  totalUnfeaturedAppRewardCoupons: decimal("1000.0"),
  totalSvRewardWeight: 15n,
  optTotalValidatorFaucetCoupons: null,
};
const medium: OpenMiningRoundSummary = {
  totalValidatorRewardCoupons: decimal("10000.0"),
  totalFeaturedAppRewardCoupons: decimal("400.0"),
  totalUnfeaturedAppRewardCoupons: decimal("9600.0"),
  totalSvRewardWeight: 100n,
  optTotalValidatorFaucetCoupons: 50n,
};

function summarizedRound(
  network: SandboxNetwork,
  given: { readonly dso?: PartyId; readonly config?: Partial<IssuanceConfig> } = {},
): ContractId {
  const { issuanceCurve, tickDuration } = defaultAmuletConfig("sync::1");
  const dso = given.dso ?? network.dso;
  return network.sandbox.create(
    SummarizingMiningRound,
    {
      dso,
      round: { number: 7n },
      amuletPrice: decimal("0.005"),
      issuanceConfig: { ...issuanceCurve.initialValue, ...given.config },
      tickDuration,
    },
    { actAs: [dso] },
  );
}

function startIssuing(
  network: SandboxNetwork,
  miningRoundCid: ContractId,
  summary: OpenMiningRoundSummary = medium,
  actAs: readonly PartyId[] = [network.dso],
) {
  const disclose = [...network.disclosures(), miningRoundCid];
  const choice = "AmuletRules_MiningRound_StartIssuing";
  const argument = { miningRoundCid, summary };
  return network.sandbox.exercise(AmuletRules, network.amuletRules, choice, argument, { actAs, disclose });
}

describe("a summarised round", () => {
  test("starts issuing a tick later for two ticks, with the figures of its summary", () => {
    const network = new SandboxNetwork({ now: time("2026-01-01T00:00:00Z") });
    const { dso, sandbox } = network;
    const summarized = summarizedRound(network);
    const result = startIssuing(network, summarized);
    expect(sandbox.isActive(summarized)).toBe(false);
    expect(sandbox.payloadOf(IssuingMiningRound, result.issuingRoundCid)).toEqual({
      dso,
      round: { number: 7n },
      issuancePerValidatorRewardCoupon: decimal("0.2"),
      issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
      issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
      issuancePerSvRewardCoupon: decimal("5783.8660578387"),
      opensAt: time("2026-01-01T00:10:00Z"),
      targetClosesAt: time("2026-01-01T00:30:00Z"),
      optIssuancePerValidatorFaucetCoupon: decimal("570.0"),
    });
    // 5649.1628614916 + 62687.4885844749 + 0
    expect(sandbox.active(UnclaimedReward).map(({ payload }) => payload)).toEqual([
      { dso, amount: decimal("68336.6514459665") },
    ]);
    const fund = result.unclaimedDevelopmentFundCouponCid;
    expect(fund).not.toBeNull();
    expect(sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([
      { contractId: fund, payload: { dso, amount: decimal("38051.7503805175") } },
    ]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["SummarizingMiningRound"],
      created: ["UnclaimedReward", "UnclaimedDevelopmentFundCoupon", "IssuingMiningRound"],
    });
  });

  test("leaves no unclaimed reward and no coupon for the fund where there is nothing", () => {
    const network = new SandboxNetwork();
    const round = summarizedRound(network, { config: { optDevelopmentFundPercentage: decimal("0.0") } });
    const result = startIssuing(network, round, everything);
    expect(result.unclaimedDevelopmentFundCouponCid).toBeNull();
    expect(changesOf(network.sandbox).created).toEqual(["IssuingMiningRound"]);
  });

  test("is refused with a summary that cannot be, and stays", () => {
    const network = new SandboxNetwork();
    const round = summarizedRound(network);
    const wrong = { ...medium, totalValidatorRewardCoupons: decimal("-0.0000000001") };
    expectUnmet("totalValidatorRewardCoupons >= 0.0", () => startIssuing(network, round, wrong));
    expect(network.sandbox.isActive(round)).toBe(true);
  });

  test("starts once, by the DSO alone", () => {
    const network = new SandboxNetwork();
    const round = summarizedRound(network);
    expectUnauthorized(() => startIssuing(network, round, medium, [testParty("alice")]));
    startIssuing(network, round);
    expectNotFound(() => startIssuing(network, round));
  });

  test("must be the DSO's own", () => {
    const network = new SandboxNetwork();
    const foreign = summarizedRound(network, { dso: other });
    expect(rejectionOf(() => startIssuing(network, foreign)).code).toBe("DAML_AUTHORIZATION_ERROR");
  });

  test("fails with a division by zero if its price is zero", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const round = sandbox.payloadOf(SummarizingMiningRound, summarizedRound(network));
    const free = sandbox.create(
      SummarizingMiningRound,
      { ...round, amuletPrice: decimal("0.0") },
      { actAs: [dso] },
    );
    expect(rejectionOf(() => startIssuing(network, free)).context["error_id"]).toBe(
      "UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError",
    );
  });
});

describe("an issuing round", () => {
  const close = (network: SandboxNetwork, issuingRoundCid: ContractId, actAs = [network.dso]) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_MiningRound_Close",
      { issuingRoundCid },
      { actAs, disclose: [...network.disclosures(), issuingRoundCid] },
    );

  test.each([
    { at: -1n, closes: false },
    { at: 0n, closes: true },
    { at: 1n, closes: true },
  ])("closes from its target on: $at µs from then, $closes", ({ at, closes }) => {
    const network = new SandboxNetwork();
    const { sandbox } = network;
    const issuing = createIssuingRound(network, 3n);
    sandbox.now = addDuration(sandbox.now, 20n * MINUTE + at);
    if (!closes) {
      expectUnmet("Mining round is past targetClosesAt", () => close(network, issuing));
      expect(sandbox.isActive(issuing)).toBe(true);
      return;
    }
    close(network, issuing);
    expect(changesOf(sandbox)).toEqual({ archived: ["IssuingMiningRound"], created: ["ClosedMiningRound"] });
  });

  test.each([decimal("570.0"), null])("keeps its figures when closed (for a record: %s)", (perRecord) => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const issuing = createIssuingRound(network, 3n, {
      issuancePerSvRewardCoupon: decimal("4.6832923545"),
      optIssuancePerValidatorFaucetCoupon: perRecord,
    });
    sandbox.advance(20n * MINUTE);
    const { closedRoundCid } = close(network, issuing);
    expect(sandbox.payloadOf(ClosedMiningRound, closedRoundCid)).toEqual({
      dso,
      round: { number: 3n },
      issuancePerValidatorRewardCoupon: decimal("0.2"),
      issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
      issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
      issuancePerSvRewardCoupon: decimal("4.6832923545"),
      optIssuancePerValidatorFaucetCoupon: perRecord,
    });
  });

  test("closes once, by the DSO alone", () => {
    const network = new SandboxNetwork();
    const issuing = createIssuingRound(network, 3n);
    network.sandbox.advance(20n * MINUTE);
    expectUnauthorized(() => close(network, issuing, [testParty("alice")]));
    close(network, issuing);
    expectNotFound(() => close(network, issuing));
  });

  test("must be the DSO's own", () => {
    const network = new SandboxNetwork();
    const foreign = createIssuingRound(network, 3n, { dso: other });
    network.sandbox.advance(20n * MINUTE);
    expect(rejectionOf(() => close(network, foreign)).code).toBe("DAML_AUTHORIZATION_ERROR");
  });
});

describe("a closed round", () => {
  const archive = (network: SandboxNetwork, closedRoundCid: ContractId, actAs = [network.dso]) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_MiningRound_Archive",
      { closedRoundCid },
      { actAs, disclose: [...network.disclosures(), closedRoundCid] },
    );

  test("is archived once, by the DSO alone", () => {
    const network = new SandboxNetwork();
    const closed = createClosedRound(network, 3n);
    expectUnauthorized(() => archive(network, closed, [testParty("alice")]));
    expect(archive(network, closed)).toEqual({});
    expect(network.sandbox.isActive(closed)).toBe(false);
    expectNotFound(() => archive(network, closed));
  });

  test("must be a closed one, and the DSO's own", () => {
    const network = new SandboxNetwork();
    const issuing = createIssuingRound(network, 3n);
    expect(rejectionOf(() => archive(network, issuing)).code).toBe("WRONGLY_TYPED_CONTRACT");
    const foreign = createClosedRound(network, 3n, { dso: other });
    expect(rejectionOf(() => archive(network, foreign)).code).toBe("DAML_AUTHORIZATION_ERROR");
  });
});
