/** One SV closes a round whose time of issuing is over. */
import { IssuingMiningRound } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";

export const closeRounds = defineAutomation({
  name: "close-rounds",
  subjects: ["past-round"],
  contracts: [IssuingMiningRound],
  decide: ({ facts, rules, task }, { key: number }) =>
    facts
      .listBy(IssuingMiningRound, "round", number, FEW)
      .filter(({ payload }) => payload.targetClosesAt <= facts.now)
      .map(({ contractId: issuingRoundCid }) => {
        const argument = { amuletRulesCid: rules.amuletRulesCid, issuingRoundCid };
        return task(`close ${issuingRoundCid}`, "DsoRules_MiningRound_Close", argument);
      }),
});
