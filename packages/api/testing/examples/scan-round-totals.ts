import type { scanRoundTotals as operations } from "../../src/scan/round-totals.ts";
import { alice } from "./samples.ts";

const ZERO = "0.0000000000";
const balance = {
  cumulative_change_to_initial_amount_as_of_round_zero: ZERO,
  cumulative_change_to_holding_fees_rate: ZERO,
};
const leaders = { request: { query: { round: 12n, limit: 10 } } };

export const scanRoundTotals = {
  getAggregatedRounds: { response: { start: 0, end: 12 } },
  getRoundOfLatestData: { response: { round: 12, effectiveAt: "2026-01-31T12:00:00.000001Z" } },
  listRoundTotals: {
    request: { body: { start_round: 0, end_round: 12 } },
    response: {
      entries: [
        {
          closed_round: 12,
          closed_round_effective_at: "2026-01-31T12:00:00.000001Z",
          app_rewards: "20000.0000000000",
          validator_rewards: "703.3600000000",
          change_to_initial_amount_as_of_round_zero: ZERO,
          change_to_holding_fees_rate: ZERO,
          cumulative_app_rewards: "40000.0000000000",
          cumulative_validator_rewards: "1406.7200000000",
          ...balance,
          total_amulet_balance: ZERO,
        },
      ],
    },
  },
  listRoundPartyTotals: {
    request: { body: { start_round: 12, end_round: 12 } },
    response: {
      entries: [
        {
          closed_round: 12,
          party: alice,
          app_rewards: "20000.0000000000",
          validator_rewards: ZERO,
          traffic_purchased: 200_000,
          traffic_purchased_cc_spent: "666.8000000000",
          traffic_num_purchases: 1,
          cumulative_app_rewards: "40000.0000000000",
          cumulative_validator_rewards: ZERO,
          ...balance,
          cumulative_traffic_purchased: 400_000,
          cumulative_traffic_purchased_cc_spent: "1333.6000000000",
          cumulative_traffic_num_purchases: 2,
        },
      ],
    },
  },
  getTopProvidersByAppRewards: {
    ...leaders,
    response: { providersAndRewards: [{ provider: alice, rewards: "40000.0000000000" }] },
  },
  getTopValidatorsByValidatorRewards: {
    ...leaders,
    response: { validatorsAndRewards: [{ provider: alice, rewards: "1406.7200000000" }] },
  },
  getTopValidatorsByPurchasedTraffic: {
    ...leaders,
    response: {
      validatorsByPurchasedTraffic: [
        {
          validator: alice,
          numPurchases: 2,
          totalTrafficPurchased: 400_000,
          totalCcSpent: "1333.6000000000",
          lastPurchasedInRound: 12,
        },
      ],
    },
  },
} satisfies Record<keyof typeof operations, object>;
