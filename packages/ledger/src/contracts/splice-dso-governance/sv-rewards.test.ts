// Splice's own story of SV rewards, with its figures: weights of 10 and 3 in basis points, no development fund.
import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { expectUnmet } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { SvRounds } from "../../../testing/sv-rounds.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal, formatDecimal, sum } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import { SvRewardCoupon } from "../splice-amulet/declarations/reward-coupons.ts";
import { defaultAmuletConfig } from "../splice-amulet/rules/default-amulet-config.ts";

const beneficiary = testParty("beneficiary");

function found(initialRound: bigint): DsoFixture {
  const config = defaultAmuletConfig("global::1220ab");
  const { issuanceCurve } = config;
  const withoutFund = <T extends object>(issuance: T) => ({
    ...issuance,
    optDevelopmentFundPercentage: decimal("0.0"),
  });
  const amuletConfig = {
    ...config,
    issuanceCurve: {
      initialValue: withoutFund(issuanceCurve.initialValue),
      futureValues: issuanceCurve.futureValues.map(({ _1, _2 }) => ({ _1, _2: withoutFund(_2) })),
    },
  };
  return new DsoFixture({ amuletConfig, initialRound, weights: [100_000n, 30_000n, 30_000n, 30_000n] });
}

/** All but one basis point for the SV, that one for somebody else. */
function receive(network: DsoFixture, sv: PartyId, round: bigint) {
  const rounds = new SvRounds(network);
  const weight = sv === network.sv(0) ? 100_000n : 30_000n;
  const argument = {
    openRoundCid: network.openRound(round).contractId,
    rewardStateCid: rounds.rewardState(nameOf(network, sv)).contractId,
    beneficiaries: [
      { _1: sv, _2: weight - 1n },
      { _1: beneficiary, _2: 1n },
    ],
  };
  return network.bySv("DsoRules_ReceiveSvRewardCoupon", argument, sv);
}

function nameOf(network: DsoFixture, sv: PartyId): string {
  return `SV-${network.svs.indexOf(sv) + 1}`;
}

function couponsOf(network: DsoFixture, owner: PartyId, round: bigint): readonly ContractId[] {
  return network.sandbox
    .active(SvRewardCoupon)
    .filter(({ payload }) => payload.beneficiary === owner && payload.round.number === round)
    .map(({ contractId }) => contractId);
}

function balance(network: DsoFixture, owner: PartyId): string {
  const coins = network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === owner);
  return formatDecimal(sum(coins.map(({ payload }) => payload.amount.initialAmount)));
}

/** Rounds advance, the oldest starts issuing; whoever has coupons of an issuing round mints them. */
function runNextIssuance(network: DsoFixture, round: bigint): void {
  network.advanceRounds();
  new SvRounds(network).startIssuing(round);
}

function mint(network: DsoFixture, sv: PartyId, round: bigint): void {
  const inputs = couponsOf(network, sv, round).map(
    (value) => ({ tag: "InputSvRewardCoupon", value }) as const,
  );
  new SvRounds(network).mint(sv, inputs);
}

describe.each([
  {
    // 761035.0076103501 a round, of which the SVs get four fifths: 608828.0060882801.
    initialRound: 0n,
    perUnit: ["4.6832923545", "6.0882800609"],
    sv1: ["468324.5521576455", "1077146.4699675846"],
    sv2: "140494.0873426455",
  },
  {
    // A year later it is 380517.5038051750 a round, and the SVs get 48 in a hundred: 182648.4018264840.
    initialRound: 50_000n,
    perUnit: ["1.4049877064", "1.8264840183"],
    sv1: ["140497.3656522936", "323143.9409982753"],
    sv2: "42148.2262042936",
  },
])("SV rewards on a network that begins with round $initialRound", (expected) => {
  const r = (n: bigint) => expected.initialRound + n;

  test("are shared by weight, once a round, and rounds may be skipped", () => {
    const network = found(expected.initialRound);
    const rounds = new SvRounds(network);
    const [sv1, sv2] = [network.sv(0), network.sv(1)];
    receive(network, sv1, r(0n));
    receive(network, sv2, r(0n));
    const again = (sv: PartyId, round: bigint, last: bigint) =>
      expectUnmet(
        `Round Round {number = ${round}} is greater than the last round a reward has been received for ` +
          `Round {number = ${last}}`,
        () => receive(network, sv, round),
      );
    again(sv1, r(0n), r(0n));
    again(sv2, r(0n), r(0n));
    // The second SV leaves out the second round.
    receive(network, sv1, r(1n));

    runNextIssuance(network, r(0n));
    expect(formatDecimal(rounds.issuing(r(0n)).issuancePerSvRewardCoupon)).toBe(expected.perUnit[0]);
    runNextIssuance(network, r(1n));
    expect(formatDecimal(rounds.issuing(r(1n)).issuancePerSvRewardCoupon)).toBe(expected.perUnit[1]);
    mint(network, sv1, r(0n));
    mint(network, sv2, r(0n));
    expect(balance(network, sv1)).toBe(expected.sv1[0]);
    expect(balance(network, sv2)).toBe(expected.sv2);
    expect(couponsOf(network, sv1, r(0n))).toEqual([]);
    expect(couponsOf(network, beneficiary, r(0n))).toHaveLength(2);

    runNextIssuance(network, r(2n));
    mint(network, sv1, r(1n));
    expect(balance(network, sv1)).toBe(expected.sv1[1]);
    expect(balance(network, sv2)).toBe(expected.sv2);

    // Rounds 3 and 4 are open now; both SVs go on with round 4.
    receive(network, sv1, r(4n));
    receive(network, sv2, r(4n));
    expect(rounds.rewardState("SV-1").payload.state).toEqual({
      numRoundsMissed: 2n,
      numRoundsCollected: 3n,
      lastRoundCollected: { number: r(4n) },
      numCouponsIssued: 6n,
    });
    expect(rounds.rewardState("SV-2").payload.state).toEqual({
      numRoundsMissed: 3n,
      numRoundsCollected: 2n,
      lastRoundCollected: { number: r(4n) },
      numCouponsIssued: 4n,
    });
    again(sv1, r(3n), r(4n));
    again(sv2, r(3n), r(4n));
  });
});
