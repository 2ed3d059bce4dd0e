/** An SV that was onboarded twice has several reward states; one of them is enough. */
import { SvRewardState } from "@callsign/ledger";
import { BATCH, MANY } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import { cidsByOwner, mergeOldest } from "../merge-oldest.ts";

export const mergeRewardStates = defineAutomation({
  name: "merge-reward-states",
  subjects: ["reward-states"],
  listPiles: ({ agenda }) =>
    agenda.rows.listCrowdedOwners(SvRewardState, 1, MANY).map((key) => ({ kind: "reward-states", key })),
  decide: ({ facts, exercise }, { key }) => {
    const bySv = cidsByOwner(facts.listBy(SvRewardState, "ownerKey", key, BATCH), ({ svName }) => svName);
    return [...bySv].flatMap(([svName, cids]) =>
      mergeOldest(cids, 1, (rewardStateCids) =>
        exercise("DsoRules_MergeSvRewardState", { svName, rewardStateCids }),
      ),
    );
  },
});
