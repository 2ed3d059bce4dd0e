/** Choices of DsoRules that Splice keeps for the sake of history, and what they were about. They always abort. */
import { list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, text, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { dsoGovernancePackage } from "../../packages.ts";
import { Amulet, AmuletExpireSummary, LockedAmulet } from "../../splice-amulet/declarations/amulet.ts";

const sv = optional(party);

const ElectionRequestReason = variant({
  ERR_DsoDelegateUnavailable: unit,
  ERR_OtherReason: text,
  ExtElectionRequestReason: record({ dummyUnitField: unit }),
});

/** From when the SVs had a delegate, who acted for all of them. */
export const ElectionRequest = declareTemplate({
  package: dsoGovernancePackage,
  module: "Splice.DsoRules",
  entity: "ElectionRequest",
  fields: {
    dso: party,
    requester: party,
    epoch: int64,
    reason: ElectionRequestReason,
    ranking: list(party),
  },
});

export const retiredChoices = {
  DsoRules_RequestElection: nonConsuming(
    { requester: party, reason: ElectionRequestReason, ranking: list(party) },
    record({ electionRequestCid: contractId }),
  ),
  DsoRules_ElectDsoDelegate: consuming(
    { actor: party, requestCids: list(contractId) },
    record({ newDsoRules: contractId }),
  ),
  DsoRules_ArchiveOutdatedElectionRequest: nonConsuming({ requestCid: contractId, sv }),
  DsoRules_PruneAmuletConfigSchedule: nonConsuming(
    { amuletRulesCid: contractId, sv },
    record({ amuletRulesCid: contractId }),
  ),
  DsoRules_Amulet_Expire: nonConsuming(
    { cid: contractId, choiceArg: Amulet.choices.Amulet_Expire.argument, sv },
    record({ expireSum: AmuletExpireSummary }),
  ),
  DsoRules_LockedAmulet_ExpireAmulet: nonConsuming(
    { cid: contractId, choiceArg: LockedAmulet.choices.LockedAmulet_ExpireAmulet.argument, sv },
    record({ expireSum: AmuletExpireSummary }),
  ),
} as const;
