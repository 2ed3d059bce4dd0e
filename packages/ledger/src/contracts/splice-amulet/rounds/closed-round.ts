/** A coupon expires only once its own round is closed: each round goes through its states at its own pace. */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forRound } from "../../checks/contract-group.ts";
import { ClosedMiningRound } from "../declarations/round.ts";
import type { Round } from "../declarations/round-number.ts";

export function requireClosedRound(
  update: Update,
  { dso, round }: { readonly dso: PartyId; readonly round: Round },
  closedRoundCid: ContractId,
): void {
  fetchChecked(update, ClosedMiningRound, closedRoundCid, forRound(dso, round.number));
}
