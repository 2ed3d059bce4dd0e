/**
 * Upkeep of the coin's contracts by any SV: rounds that issued long enough are closed,
 * activity markers become coupons, purchases of traffic are merged, and preapprovals, transfers and allocations
 * that ran out are removed.
 */

import { showParty } from "../../daml/show.ts";
import { requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyAmuletRules } from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { TransferPreapproval } from "../splice-amulet/declarations/transfer-preapproval.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

export const upkeepChoices = {
  DsoRules_MiningRound_Close: byMember(({ update, argument: { amuletRulesCid, issuingRoundCid } }) => {
    const choice = "AmuletRules_MiningRound_Close";
    return {
      closedRound: update.exercise(AmuletRules, amuletRulesCid, choice, { issuingRoundCid }).closedRoundCid,
    };
  }),
  DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers: byMember(({ update, argument: given }) => {
    const choice = "AmuletRules_ConvertFeaturedAppActivityMarkers";
    return { result: update.exercise(AmuletRules, given.amuletRulesCid, choice, given.argument) };
  }),
  DsoRules_MergeMemberTrafficContracts: byMember(({ update, contract: { config }, argument }) => {
    const { amuletRulesCid, trafficCids } = argument;
    requireThat(
      "Number of member traffic contracts is above the configured threshold",
      BigInt(trafficCids.length) > config.numMemberTrafficContractsThreshold,
    );
    const choice = "AmuletRules_MergeMemberTrafficContracts";
    return {
      memberTraffic: update.exercise(AmuletRules, amuletRulesCid, choice, { trafficCids }).mergedTrafficCid,
    };
  }),
  DsoRules_Amulet_ExpireTransferInstructions: byMember(({ update, contract: { dso }, argument }) => {
    const { amuletRulesCid, transferInsts } = argument;
    requireOwnDso(transferInsts.expectedDso, dso);
    const choice = "AmuletRules_Amulet_ExpireTransferInstructions";
    return { result: update.exercise(AmuletRules, amuletRulesCid, choice, transferInsts) };
  }),
  DsoRules_ExpireAmuletAllocations: byMember(({ update, contract: { dso }, argument }) => {
    const { extAmuletRulesCid, expireAllocations } = argument;
    requireOwnDso(expireAllocations.expectedDso, dso);
    const choice = "ExternalPartyAmuletRules_ExpireAmuletAllocations";
    return {
      result: update.exercise(ExternalPartyAmuletRules, extAmuletRulesCid, choice, expireAllocations),
    };
  }),
  DsoRules_ExpireTransferPreapproval: byMember(({ update, argument: { transferPreapprovalCid } }) => {
    update.exercise(TransferPreapproval, transferPreapprovalCid, "TransferPreapproval_Expire", {});
    return {};
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;

function requireOwnDso(expected: PartyId, dso: PartyId): void {
  const label = `expectedDso ${showParty(expected)} matches the actualDso ${showParty(dso)}`;
  requireThat(label, expected === dso);
}
