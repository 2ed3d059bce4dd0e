/** Rewards of apps by their traffic (CIP-104), which networks of ours do not pay: answered as by a scan without them. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";

const round = z.object({ round_number: int64Parameter });

const ActivityTotals = z
  .object({
    round_number: int64,
    total_app_activity_weight: int64,
    active_parties_count: int64,
    activity_records_count: int64,
  })
  .meta({ id: "GetRewardAccountingActivityTotalsResponse" });

const Batch = z
  .union([
    z.object({ batch_type: z.enum(["BatchOfBatches"]), child_hashes: z.array(z.string()) }),
    z.object({
      batch_type: z.enum(["BatchOfMintingAllowances"]),
      minting_allowances: z.array(z.object({ provider: z.string(), amount: z.string() })),
    }),
  ])
  .meta({ id: "GetRewardAccountingBatchResponse" });

export const scanRewardAccounting = defineEndpoints({
  tags: ["internal", "scan"],
  auth: "none",
  method: "GET",
  errors: [400, 404, 429, 503],
})({
  getRewardAccountingEarliestAvailableRound: {
    path: "/v0/reward-accounting-process/rounds/earliest-available",
    summary: "The first round whose apps' traffic is known: 404, since none is",
    success: json(
      z.object({ earliest_round: int64 }).meta({ id: "GetRewardAccountingEarliestAvailableRoundResponse" }),
    ),
  },
  getRewardAccountingActivityTotals: {
    path: "/v0/reward-accounting-process/rounds/{round_number}/activity-totals",
    summary: "The traffic of apps in a round: 404, since it is not counted",
    params: round,
    success: json(ActivityTotals),
  },
  getRewardAccountingRootHash: {
    path: "/v0/reward-accounting-process/rounds/{round_number}/root-hash",
    summary: "The hash of a round's rewards by traffic: 404, since there are none",
    params: round,
    success: json(
      z
        .object({ round_number: int64, root_hash: z.string() })
        .meta({ id: "GetRewardAccountingRootHashResponse" }),
    ),
  },
  getRewardAccountingBatch: {
    path: "/v0/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}",
    summary: "A batch of a round's rewards by traffic: 404, since there are none",
    params: round.extend({ batch_hash: z.string() }),
    success: json(Batch),
  },
});
