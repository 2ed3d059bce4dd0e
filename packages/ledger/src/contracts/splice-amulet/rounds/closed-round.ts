/** A coupon expires only once its own round is closed: each round goes through its states at its own pace. */
import type { ChoiceRules } from "../../../engine/template.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forRound } from "../../checks/contract-group.ts";
import { ClosedMiningRound } from "../declarations/round.ts";
import type { Round } from "../declarations/round-number.ts";

/** The DSO expires a coupon; the result says what the coupon was worth. */
export function expireInClosedRound<Coupon extends { readonly dso: PartyId; readonly round: Round }, Result>(
  resultOf: (coupon: Coupon) => Result,
): ChoiceRules<Coupon, { readonly closedRoundCid: ContractId }, Result> {
  return {
    controllers: ({ dso }) => [dso],
    exercise: ({ update, contract: coupon, argument: { closedRoundCid } }) => {
      fetchChecked(update, ClosedMiningRound, closedRoundCid, forRound(coupon.dso, coupon.round.number));
      return resultOf(coupon);
    },
  };
}
