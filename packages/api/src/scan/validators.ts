/** The liveness of validators: the rounds in which they were up. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { limitParameter } from "../splice/page-size.ts";
import { partyParameter } from "../splice/party-parameter.ts";
import { int64 } from "../wire/numbers.ts";

const ReceivedFaucets = z
  .object({
    validator: z.string(),
    numRoundsCollected: int64,
    numRoundsMissed: int64,
    firstCollectedInRound: int64,
    lastCollectedInRound: int64,
  })
  .meta({ id: "ValidatorReceivedFaucets" });
export type ReceivedFaucets = z.output<typeof ReceivedFaucets>;

export const scanValidators = defineEndpoints({
  auth: "none",
  method: "GET",
  errors: [400, 404, 429, 503],
})({
  getValidatorFaucetsByValidator: {
    path: "/v0/validators/validator-faucets",
    tags: ["external", "scan"],
    summary: "The rounds in which the named validators were up; others than validators are left out",
    query: z.object({ validator_ids: z.array(partyParameter) }),
    success: json(
      z
        .object({ validatorsReceivedFaucets: z.array(ReceivedFaucets) })
        .meta({ id: "GetValidatorFaucetsByValidatorResponse" }),
    ),
  },
  getTopValidatorsByValidatorFaucets: {
    path: "/v0/top-validators-by-validator-faucets",
    tags: ["internal", "scan"],
    summary: "The validators that were up in most rounds, the first of them first",
    query: z.object({ limit: limitParameter }),
    success: json(
      z
        .object({ validatorsByReceivedFaucets: z.array(ReceivedFaucets) })
        .meta({ id: "GetTopValidatorsByValidatorFaucetsResponse" }),
    ),
  },
});
