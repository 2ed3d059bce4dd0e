/** Reward and fee information that will go in a future release. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { fixedDecimal } from "../wire/texts.ts";

const RewardsCollected = z.object({ amount: fixedDecimal }).meta({ id: "GetRewardsCollectedResponse" });

/** Fees in coin, of the round's price; rates are plain ratios. */
export const AmuletConfigForRound = z
  .object({
    amulet_create_fee: fixedDecimal,
    holding_fee: fixedDecimal,
    lock_holder_fee: fixedDecimal,
    transfer_fee: z.object({
      initial: fixedDecimal,
      steps: z.array(z.object({ amount: fixedDecimal, rate: fixedDecimal })),
    }),
  })
  .meta({ id: "GetAmuletConfigForRoundResponse" });
export type AmuletConfigForRound = z.output<typeof AmuletConfigForRound>;

const roundQuery = z.object({ round: orNull(int64Parameter) });

export const scanDeprecated = defineEndpoints({
  tags: ["deprecated"],
  auth: "none",
  errors: [400, 404, 429, 503],
})({
  getRewardsCollected: {
    tags: ["deprecated", "scan"],
    method: "GET",
    path: "/v0/rewards-collected",
    summary: "Rewards of apps and validators: ever, or in one closed round",
    deprecated: true,
    query: roundQuery,
    success: json(RewardsCollected),
  },
  getAmuletConfigForRound: {
    method: "GET",
    path: "/v0/amulet-config-for-round",
    summary: "Fees of a round, or of the highest round that has opened",
    deprecated: true,
    query: roundQuery,
    success: json(AmuletConfigForRound),
  },
});
