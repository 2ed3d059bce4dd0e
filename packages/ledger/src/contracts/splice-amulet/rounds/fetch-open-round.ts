/**
 * Only the DSO is a stakeholder of a round, so others read it through a choice that any named party may
 * exercise; the reading therefore shows in the transaction.
 */
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { requireGroup } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { OpenMiningRound } from "../declarations/round.ts";

export function fetchOpenRound(
  update: Update,
  openMiningRound: ContractId,
  { dso, reader }: { readonly dso: PartyId; readonly reader: PartyId },
): OpenMiningRound {
  const round = update.exercise(OpenMiningRound, openMiningRound, "OpenMiningRound_Fetch", { p: reader });
  requireGroup(forDso(dso), round, `OpenMiningRound ${openMiningRound}`);
  return round;
}
