/** Rewards over several rounds, as Splice's own scripts tell them, at a price of 1 and without a fund. */
import { describe, expect, test } from "vitest";
import {
  claimExpiredRewards,
  mergeUnclaimedRewards,
  runNextIssuance,
} from "../../../../testing/issue-rounds.ts";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import { expectOtherGroup, expectUnmet } from "../../../../testing/rejection.ts";
import { Rewards, rewardInput } from "../../../../testing/reward-fixture.ts";
import { issuingRounds } from "../../../../testing/round-coupons.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import { DAY, HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { Amulet, ValidatorRight } from "../declarations/amulet.ts";
import { UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";
import { SvRewardCoupon, UnclaimedReward } from "../declarations/reward-coupons.ts";
import { ClosedMiningRound, IssuingMiningRound } from "../declarations/round.ts";
import { ValidatorLicense, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const [alice, bob, charlie, provider] = ["alice", "bob", "charlie", "provider"].map(testParty) as [
  PartyId,
  PartyId,
  PartyId,
  PartyId,
];

function network(given: { readonly initialRound?: bigint } = {}): SandboxNetwork {
  const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
  const withoutFund = { optDevelopmentFundPercentage: decimal("0.0") };
  const { initialValue, futureValues } = config.issuanceCurve;
  const issuanceCurve = {
    initialValue: { ...initialValue, ...withoutFund },
    futureValues: futureValues.map(({ _1, _2 }) => ({ _1, _2: { ..._2, ...withoutFund } })),
  };
  return new SandboxNetwork({ config: { ...config, issuanceCurve }, amuletPrice: decimal("1.0"), ...given });
}

/** Rounds go on at the same price. */
function nextIssuance(given: SandboxNetwork): void {
  runNextIssuance(given, decimal("1.0"));
}

/** The merged sum of what nobody claimed. */
function unclaimed(given: SandboxNetwork): readonly string[] {
  mergeUnclaimedRewards(given);
  return given.sandbox.active(UnclaimedReward).map(({ payload }) => formatDecimalShort(payload.amount));
}

describe("unclaimed rewards", () => {
  test("without activity are the whole round's coin", () => {
    const given = network();
    nextIssuance(given);
    // 40e9 ÷ 52,560
    expect(unclaimed(given)).toEqual(["761035.0076103501"]);
  });

  test("are put down when a round starts issuing, and the rest when its coupons expire", () => {
    const given = network();
    const rewards = new Rewards(given);
    rewards.app(provider, "5.7");
    rewards.app(provider, "3.3", { featured: false });
    rewards.validator(alice, "2.3");
    rewards.faucet(alice);
    rewards.faucet(bob);
    rewards.liveness(alice);
    rewards.liveness(bob);
    rewards.sv(charlie, 10n);
    nextIssuance(given);
    // Paid: 5.7 × 100 + 3.3 × 0.6 + 2.3 × 0.2 + 4 × 2.85 + 10 × 60882.800608828 = 609411.84608828
    expect(unclaimed(given)).toEqual(["151623.1615220701"]);
    nextIssuance(given);
    nextIssuance(given);
    // and twice 761035.0076103501
    expect(unclaimed(given)).toEqual(["1673693.1767427703"]);
    nextIssuance(given);
    const [closed] = given.sandbox.active(ClosedMiningRound);
    expect(closed?.payload.round.number).toBe(0n);
    claimExpiredRewards(given, closed?.contractId as ContractId);
    // Four times a round's coin, to the last digit.
    expect(unclaimed(given)).toEqual(["3044140.0304414004"]);
    expect(given.sandbox.active(UnclaimedDevelopmentFundCoupon)).toEqual([]);
  });

  test("are none if the coupons take everything", () => {
    const given = network();
    const rewards = new Rewards(given);
    rewards.app(provider, "4000.0");
    rewards.app(provider, "1000.0", { featured: false });
    rewards.validator(alice, "30000000.0");
    rewards.sv(charlie, 15n);
    nextIssuance(given);
    expect(given.sandbox.active(UnclaimedReward)).toEqual([]);
    expect(given.sandbox.active(IssuingMiningRound)).toHaveLength(1);
  });
});

describe("rewards of every kind", () => {
  test("are minted by whom they belong to, once their round issues", () => {
    const given = network();
    const { dso, sandbox } = given;
    const rewards = new Rewards(given);
    const [app1, app2] = [rewards.app(alice, "5.7"), rewards.app(alice, "3.3", { featured: false })];
    const app3 = rewards.app(alice, "5.7", { beneficiary: bob });
    const app4 = rewards.app(alice, "3.3", { featured: false, beneficiary: bob });
    const validatorCoupon = rewards.validator(alice, "2.3");
    const liveness = rewards.liveness(alice);
    rewards.liveness(bob);
    const right = sandbox.create(ValidatorRight, { dso, user: alice, validator: alice }, { actAs: [alice] });
    const [sv1, sv2] = [testParty("sv1"), testParty("sv2")];
    // SV 1 gives alice 99.99 % of its 10, SV 2 gives her 10 % and charlie 20 % of its 3.
    const svAlice1 = rewards.sv(alice, 99_990n, sv1);
    rewards.sv(sv1, 10n, sv1);
    const svAlice2 = rewards.sv(alice, 3_000n, sv2);
    const svCharlie = rewards.sv(charlie, 6_000n, sv2);
    rewards.sv(sv2, 21_000n, sv2);
    nextIssuance(given);
    nextIssuance(given);

    const context = {
      issuingMiningRounds: issuingRounds(given.sandbox),
      validatorRights: [[alice, right]] as const,
    };
    const own = { issuingMiningRounds: context.issuingMiningRounds };
    const charlies = rewardInput("InputSvRewardCoupon", svCharlie);
    expectOtherGroup("SvRewardCoupon", () =>
      transferCoins(given, { sender: sv1, provider: charlie, inputs: [charlies], outputs: [], context: own }),
    );
    const charliesMint = transferCoins(given, {
      sender: charlie,
      inputs: [charlies],
      outputs: [],
      context: own,
    });
    // 608828.0060882801 ÷ 130,000 = 4.6832923545 for each of 6,000
    expect(charliesMint.summary.senderChangeAmount).toBe(decimal("28099.754127"));

    const { summary } = transferCoins(given, {
      sender: alice,
      inputs: [
        rewardInput("InputAppRewardCoupon", app1),
        rewardInput("InputAppRewardCoupon", app2),
        rewardInput("InputValidatorRewardCoupon", validatorCoupon),
        rewardInput("InputValidatorLivenessActivityRecord", liveness),
        rewardInput("InputSvRewardCoupon", svAlice1),
        rewardInput("InputSvRewardCoupon", svAlice2),
      ],
      outputs: [outputTo(charlie, "8.0")],
      context,
    });
    expect(summary.inputAppRewardAmount).toBe(decimal("571.98"));
    expect(summary.inputValidatorRewardAmount).toBe(decimal("3.31"));
    expect(summary.inputValidatorFaucetAmount).toBe(decimal("2.85"));
    // 102,990 × 4.6832923545
    expect(summary.inputSvRewardAmount).toBe(decimal("482332.279589955"));
    expect(summary.inputAmuletAmount).toBe(0n);
    expect(summary.senderChangeAmount).toBe(decimal("482899.569589955"));
    expect(sandbox.active(SvRewardCoupon).map(({ payload }) => payload.beneficiary)).toEqual([sv1, sv2]);

    const bobs = [app3, app4].map((cid) => rewardInput("InputAppRewardCoupon", cid));
    const bobsMint = transferCoins(given, { sender: bob, inputs: bobs, outputs: [], context: own });
    expect(bobsMint.summary.inputAppRewardAmount).toBe(decimal("571.98"));
  });
});

describe("a validator that stays up", () => {
  test("earns for each round it reported in, and cannot go back", () => {
    const given = network();
    const { dso, sandbox } = given;
    const blank = { faucetState: null, metadata: null, lastActiveAt: null };
    let license = sandbox.create(
      ValidatorLicense,
      { validator: alice, sponsor: provider, dso, ...blank },
      { actAs: [dso] },
    );
    const report = (openRoundCid: ContractId) => {
      const choice = "ValidatorLicense_RecordValidatorLivenessActivity";
      const as = { actAs: [alice], disclose: [openRoundCid] };
      license = sandbox.exercise(ValidatorLicense, license, choice, { openRoundCid }, as).licenseCid;
    };
    const recordOf = (round: bigint) =>
      sandbox
        .active(ValidatorLivenessActivityRecord)
        .filter(({ payload }) => payload.round.number === round && payload.validator === alice);
    const mint = (round: bigint) => {
      const inputs = recordOf(round).map(({ contractId }) =>
        rewardInput("InputValidatorLivenessActivityRecord", contractId),
      );
      const coins = sandbox.active(Amulet).filter(({ payload }) => payload.owner === alice);
      const context = { issuingMiningRounds: issuingRounds(given.sandbox) };
      const all = [...inputs, ...coins.map(({ contractId }) => contractId)];
      transferCoins(given, { sender: alice, inputs: all, outputs: [], context });
    };

    const [round0, round1] = given.openRounds();
    sandbox.advance(HOUR);
    report(round0?.contractId as ContractId);
    expect(sandbox.payloadOf(ValidatorLicense, license).lastActiveAt).toBe(sandbox.now);
    expect(recordOf(0n)).toHaveLength(1);
    expectUnmet("Not yet received", () => report(round0?.contractId as ContractId));
    report(round1?.contractId as ContractId);
    expect(recordOf(1n)).toHaveLength(1);

    nextIssuance(given);
    nextIssuance(given);
    mint(0n);
    expect(coinsOf(given, alice)).toEqual(["2.85"]);
    expect(recordOf(0n)).toEqual([]);
    nextIssuance(given);
    mint(1n);
    expect(coinsOf(given, alice)).toEqual(["5.7"]);

    // Rounds 3, 4 and 5 are open now; rounds 2 and 3 are missed.
    const [round3, round4] = given.openRounds();
    sandbox.advance(DAY);
    report(round4?.contractId as ContractId);
    expect(recordOf(4n)).toHaveLength(1);
    expect(sandbox.payloadOf(ValidatorLicense, license).faucetState).toEqual({
      firstReceivedFor: { number: 0n },
      lastReceivedFor: { number: 4n },
      numCouponsMissed: 2n,
    });
    expectUnmet("Not yet received", () => report(round3?.contractId as ContractId));
  });
});

describe("SVs' rewards", () => {
  test.each([
    // 608828.0060882801 ÷ 130,000 and ÷ 100,000
    {
      initialRound: 0n,
      perWeight: "4.6832923545",
      sv1: ["468324.5521576455", "1077146.4699675846"],
      sv2: "140494.0873426455",
    },
    // 182648.401826484 ÷ 130,000 = 1.4049877064, and ÷ 100,000 = 1.8264840183
    {
      initialRound: 50_000n,
      perWeight: "1.4049877064",
      sv1: ["140497.3656522936", "323143.9409982753"],
      sv2: "42148.2262042936",
    },
  ])("from round $initialRound on are shared by weight", ({ initialRound, perWeight, sv1, sv2 }) => {
    const given = network({ initialRound });
    const [first, second] = [testParty("sv1"), testParty("sv2")];
    const collect = (sv: PartyId, weight: bigint, round: bigint) => {
      const rewards = new Rewards(given, { round });
      rewards.sv(testParty("beneficiary"), 1n, sv);
      return rewards.sv(sv, weight - 1n);
    };
    const mint = (sv: PartyId, coupon: ContractId) => {
      const context = { issuingMiningRounds: issuingRounds(given.sandbox) };
      const coins = given.sandbox.active(Amulet).filter(({ payload }) => payload.owner === sv);
      const inputs = [
        rewardInput("InputSvRewardCoupon", coupon),
        ...coins.map(({ contractId }) => contractId),
      ];
      transferCoins(given, { sender: sv, inputs, outputs: [], context });
    };
    const coupon1 = collect(first, 100_000n, initialRound);
    const coupon2 = collect(second, 30_000n, initialRound);
    const later1 = collect(first, 100_000n, initialRound + 1n);
    nextIssuance(given);
    nextIssuance(given);
    const [issuing] = given.sandbox.active(IssuingMiningRound);
    expect(formatDecimalShort(issuing?.payload.issuancePerSvRewardCoupon ?? decimal("0.0"))).toBe(perWeight);
    mint(first, coupon1);
    mint(second, coupon2);
    // 99,999 and 29,999 times that
    expect(coinsOf(given, first)).toEqual([sv1[0]]);
    expect(coinsOf(given, second)).toEqual([sv2]);
    nextIssuance(given);
    mint(first, later1);
    // The second SV collected nothing in the second round, so the first had all of it.
    expect(coinsOf(given, first)).toEqual([sv1[1]]);
    expect(coinsOf(given, second)).toEqual([sv2]);
  });
});
