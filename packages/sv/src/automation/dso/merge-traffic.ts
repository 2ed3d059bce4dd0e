/** Merges the traffic that was bought for one member. */
import { MAX_INT64, MemberTraffic } from "@callsign/ledger";
import { trafficText } from "../../kinds/keys.ts";
import { BATCH, MANY } from "../../limits/limits.ts";
import { defineAutomation } from "../dso-automation.ts";
import type { DsoRulesFacts } from "../ledger-facts.ts";
import { cidsByOwner, mergeOldest } from "../merge-oldest.ts";

/** In bytes: where coin costs nothing somebody may buy so much that no contract could hold the sum of a batch. */
const LARGEST_MERGED = MAX_INT64 / BigInt(BATCH);

export const mergeTraffic = defineAutomation({
  name: "merge-traffic",
  subjects: ["traffic"],
  listPiles: ({ agenda }, rules) =>
    agenda.rows
      .listCrowdedOwners(MemberTraffic, trafficThreshold(rules), MANY)
      .map((key) => ({ kind: "traffic", key })),
  decide: ({ facts, rules, exercise }, { key }) => {
    const bought = facts.listBy(MemberTraffic, "ownerKey", key, BATCH);
    const mergeable = bought.filter(({ payload }) => payload.totalPurchased <= LARGEST_MERGED);
    return [...cidsByOwner(mergeable, trafficText).values()].flatMap((cids) =>
      mergeOldest(cids, trafficThreshold(rules), (trafficCids) => {
        const argument = { amuletRulesCid: rules.amuletRulesCid, trafficCids };
        return exercise("DsoRules_MergeMemberTrafficContracts", argument);
      }),
    );
  },
});

/** Merging one contract would never end. */
function trafficThreshold({ dsoRules }: DsoRulesFacts): number {
  return Math.max(Number(dsoRules.payload.config.numMemberTrafficContractsThreshold), 1);
}
