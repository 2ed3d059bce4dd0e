/** Coupons of a closed round that nobody minted are expired in batches. */
import { ClosedMiningRound, expiryBatches, isRoundArchivable } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { listLeftCoupons } from "./left-coupons.ts";

export const expireCoupons = defineAutomation({
  name: "expire-coupons",
  subjects: ["past-round"],
  decide: ({ facts, rules, hash, task }, { key: number }) =>
    facts.listBy(ClosedMiningRound, "round", number, FEW).flatMap(({ contractId }) => {
      const left = listLeftCoupons(facts, number);
      if (isRoundArchivable(left)) return [];
      return expiryBatches(contractId, left).map((choiceArg) => {
        const argument = { amuletRulesCid: rules.amuletRulesCid, choiceArg };
        return task(`claim ${hash(JSON.stringify(choiceArg))}`, "DsoRules_ClaimExpiredRewards", argument);
      });
    }),
});
