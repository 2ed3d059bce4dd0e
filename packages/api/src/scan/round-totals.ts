/** Sums of closed rounds, and boards of those who lead. Sums of balances are zero, as in Splice, which no longer keeps them. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32Parameter, int64, int64Parameter } from "../wire/numbers.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";

const LatestRound = z
  .object({ round: int64, effectiveAt: dateTime })
  .meta({ id: "GetRoundOfLatestDataResponse" });

const AggregatedRounds = z.object({ start: int64, end: int64 }).meta({ id: "GetAggregatedRoundsResponse" });

const rounds = { start_round: int64, end_round: int64 } as const;

const RoundTotals = z
  .object({
    closed_round: int64,
    closed_round_effective_at: dateTime,
    app_rewards: fixedDecimal,
    validator_rewards: fixedDecimal,
    change_to_initial_amount_as_of_round_zero: fixedDecimal,
    change_to_holding_fees_rate: fixedDecimal,
    cumulative_app_rewards: fixedDecimal,
    cumulative_validator_rewards: fixedDecimal,
    cumulative_change_to_initial_amount_as_of_round_zero: fixedDecimal,
    cumulative_change_to_holding_fees_rate: fixedDecimal,
    total_amulet_balance: fixedDecimal,
  })
  .meta({ id: "RoundTotals" });
export type RoundTotals = z.output<typeof RoundTotals>;

const RoundPartyTotals = z
  .object({
    closed_round: int64,
    party: z.string(),
    app_rewards: fixedDecimal,
    validator_rewards: fixedDecimal,
    traffic_purchased: int64,
    traffic_purchased_cc_spent: fixedDecimal,
    traffic_num_purchases: int64,
    cumulative_app_rewards: fixedDecimal,
    cumulative_validator_rewards: fixedDecimal,
    cumulative_change_to_initial_amount_as_of_round_zero: fixedDecimal,
    cumulative_change_to_holding_fees_rate: fixedDecimal,
    cumulative_traffic_purchased: int64,
    cumulative_traffic_purchased_cc_spent: fixedDecimal,
    cumulative_traffic_num_purchases: int64,
  })
  .meta({ id: "RoundPartyTotals" });
export type RoundPartyTotals = z.output<typeof RoundPartyTotals>;

const rewardBoard = z.array(
  z.object({ provider: z.string(), rewards: fixedDecimal }).meta({ id: "PartyAndRewards" }),
);

const trafficBoard = z.array(
  z
    .object({
      validator: z.string(),
      numPurchases: int64,
      totalTrafficPurchased: int64,
      totalCcSpent: fixedDecimal,
      lastPurchasedInRound: int64,
    })
    .meta({ id: "ValidatorPurchasedTraffic" }),
);

const board = {
  tags: ["deprecated", "scan"],
  method: "GET",
  query: z.object({ round: int64Parameter, limit: int32Parameter }),
} as const;

export const scanRoundTotals = defineEndpoints({
  tags: ["deprecated"],
  deprecated: true,
  auth: "none",
  errors: [400, 404, 429, 503],
})({
  getAggregatedRounds: {
    method: "GET",
    path: "/v0/aggregated-rounds",
    summary: "The first and the last round of which sums are known",
    success: json(AggregatedRounds),
  },
  getRoundOfLatestData: {
    tags: ["deprecated", "scan"],
    method: "GET",
    path: "/v0/round-of-latest-data",
    summary: "The last round of which sums are known, and when it closed",
    success: json(LatestRound),
  },
  listRoundTotals: {
    method: "POST",
    path: "/v0/round-totals",
    summary: "Sums of up to 200 closed rounds",
    body: z.object(rounds).meta({ id: "ListRoundTotalsRequest" }),
    success: json(z.object({ entries: z.array(RoundTotals) }).meta({ id: "ListRoundTotalsResponse" })),
  },
  listRoundPartyTotals: {
    method: "POST",
    path: "/v0/round-party-totals",
    summary: "Sums of the parties that minted rewards or bought traffic in up to 50 closed rounds",
    body: z.object(rounds).meta({ id: "ListRoundPartyTotalsRequest" }),
    success: json(
      z.object({ entries: z.array(RoundPartyTotals) }).meta({ id: "ListRoundPartyTotalsResponse" }),
    ),
  },
  getTopProvidersByAppRewards: {
    ...board,
    path: "/v0/top-providers-by-app-rewards",
    summary: "The parties that minted most rewards of apps, up to the last closed round",
    success: json(
      z.object({ providersAndRewards: rewardBoard }).meta({ id: "GetTopProvidersByAppRewardsResponse" }),
    ),
  },
  getTopValidatorsByValidatorRewards: {
    ...board,
    path: "/v0/top-validators-by-validator-rewards",
    summary: "The parties that minted most rewards of validators, up to the last closed round",
    success: json(
      z
        .object({ validatorsAndRewards: rewardBoard })
        .meta({ id: "GetTopValidatorsByValidatorRewardsResponse" }),
    ),
  },
  getTopValidatorsByPurchasedTraffic: {
    ...board,
    path: "/v0/top-validators-by-purchased-traffic",
    summary: "The parties that bought most traffic, up to the last closed round",
    success: json(
      z
        .object({ validatorsByPurchasedTraffic: trafficBoard })
        .meta({ id: "GetTopValidatorsByPurchasedTrafficResponse" }),
    ),
  },
});
