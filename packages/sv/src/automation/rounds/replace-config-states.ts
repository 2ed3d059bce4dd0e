/** Replaces the older of the two configuration states, which are copied from the open rounds, when it is due. */
import { ExternalPartyConfigState } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";
import { findOpenRounds, isNextRoundDue } from "./open-rounds.ts";

export const replaceConfigStates = defineAutomation({
  name: "replace-config-states",
  subjects: ["rounds"],
  contracts: [ExternalPartyConfigState],
  decide: ({ facts, rules, sv }) => {
    const rounds = findOpenRounds(facts);
    // A configuration state made from rounds that are about to go would lag behind for days.
    if (rounds === null || isNextRoundDue(facts)) return [];
    const [older, newer] = facts
      .list(ExternalPartyConfigState, FEW)
      .toSorted((a, b) => Number(a.payload.targetArchiveAfter - b.payload.targetArchiveAfter));
    if (older === undefined || newer === undefined || older.payload.targetArchiveAfter > facts.now) return [];
    const [round0, round1, round2] = rounds;
    const command = exerciseDsoRules(rules, sv, "DsoRules_UpdateExternalPartyConfigStates", {
      amuletRulesCid: rules.amuletRulesCid,
      externalPartyConfigStateCid0: older.contractId,
      externalPartyConfigStateCid1: newer.contractId,
      openMiningRoundTriple: { round0Cid: round0.cid, round1Cid: round1.cid, round2Cid: round2.cid },
    });
    return [{ key: `replace ${older.contractId} ${round2.cid}`, commands: [command], takes: 1 }];
  },
});
