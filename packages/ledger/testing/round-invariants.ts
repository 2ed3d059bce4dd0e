/** Invariants of rounds and rewards after every step. */
import { expect } from "vitest";
import { SvRewardCoupon } from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import { ValidatorLivenessActivityRecord } from "../src/contracts/splice-amulet/declarations/validator-license.ts";
import { DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { DsoFixture } from "./dso-fixture.ts";

export function expectRoundInvariants(network: DsoFixture): void {
  const { sandbox } = network;
  const open = network.openRounds().map(({ payload }) => payload.round.number);
  const [oldest = 0n] = open;
  expect(open).toEqual([oldest, oldest + 1n, oldest + 2n]);
  const rounds = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound, ClosedMiningRound]
    .flatMap((template) => sandbox.active(template) as readonly { payload: { round: { number: bigint } } }[])
    .map(({ payload }) => payload.round.number);
  expect(new Set(rounds).size).toBe(rounds.length);
  const records = sandbox
    .active(ValidatorLivenessActivityRecord)
    .map(({ payload }) => `${payload.validator} ${payload.round.number}`);
  expect(new Set(records).size).toBe(records.length);
  expectWeights(network);
}

/** An SV's coupons of a round never exceed its weight, and each beneficiary has one at most. */
function expectWeights(network: DsoFixture): void {
  const coupons = network.sandbox.active(SvRewardCoupon).map(({ payload }) => payload);
  const given = coupons.map(({ sv, beneficiary, round }) => `${sv} ${beneficiary} ${round.number}`);
  expect(new Set(given).size).toBe(given.length);
  for (const [sv, { svRewardWeight }] of network.only(DsoRules).payload.svs) {
    const byRound = new Map<bigint, bigint>();
    for (const { round, weight } of coupons.filter((coupon) => coupon.sv === sv)) {
      byRound.set(round.number, (byRound.get(round.number) ?? 0n) + weight);
    }
    for (const weight of byRound.values()) expect(weight).toBeLessThanOrEqual(svRewardWeight);
  }
}
