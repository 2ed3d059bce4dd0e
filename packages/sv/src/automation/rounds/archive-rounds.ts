/** A quorum archives a closed round once none of its coupons is left. */
import { ClosedMiningRound, isRoundArchivable, onAmuletRules } from "@callsign/ledger";
import { FEW } from "../../limits/limits.ts";
import { confirmOrExecute } from "../confirm-or-execute.ts";
import { defineAutomation } from "../dso-automation.ts";
import { listLeftCoupons } from "./left-coupons.ts";

export const archiveRounds = defineAutomation({
  name: "archive-rounds",
  subjects: ["past-round"],
  decide: (deciding, { key: number }) =>
    deciding.facts
      .listBy(ClosedMiningRound, "round", number, FEW)
      .flatMap(({ contractId: closedRoundCid }) => {
        if (!isRoundArchivable(listLeftCoupons(deciding.facts, number))) return [];
        const action = onAmuletRules({ tag: "CRARC_MiningRound_Archive", value: { closedRoundCid } });
        return confirmOrExecute(deciding, action);
      }),
  awaits: ({ facts }, action) => {
    if (action.tag !== "ARC_AmuletRules") return false;
    const { tag, value } = action.value.amuletRulesAction;
    return tag === "CRARC_MiningRound_Archive" && facts.exists(value.closedRoundCid);
  },
});
