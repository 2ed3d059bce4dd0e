/** Replaces the older of the two configuration states, which are copied from the open rounds, when it is due. */
import { ExternalPartyConfigState } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { findOpenRounds, isNextRoundDue } from "./open-rounds.ts";

export const replaceConfigStates = defineAutomation({
  name: "replace-config-states",
  subjects: ["rounds"],
  contracts: [ExternalPartyConfigState],
  decide: ({ facts, rules, task }) => {
    const rounds = findOpenRounds(facts);
    // A configuration state made from rounds that are about to go would lag behind for days.
    if (rounds === null || isNextRoundDue(facts)) return [];
    const [older, newer] = facts
      .list(ExternalPartyConfigState, FEW)
      .toSorted((a, b) => Number(a.payload.targetArchiveAfter - b.payload.targetArchiveAfter));
    if (older === undefined || newer === undefined || older.payload.targetArchiveAfter > facts.now) return [];
    const [round0, round1, round2] = rounds;
    const argument = {
      amuletRulesCid: rules.amuletRulesCid,
      externalPartyConfigStateCid0: older.contractId,
      externalPartyConfigStateCid1: newer.contractId,
      openMiningRoundTriple: { round0Cid: round0.cid, round1Cid: round1.cid, round2Cid: round2.cid },
    };
    const key = `replace ${older.contractId} ${round2.cid}`;
    return [task(key, "DsoRules_UpdateExternalPartyConfigStates", argument)];
  },
});
