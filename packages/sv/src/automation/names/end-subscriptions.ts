/** A terminated subscription goes together with the context it ends. Without a context there is nothing to end. */
import { TerminatedSubscription } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";

export const endSubscriptions = defineAutomation({
  name: "end-subscriptions",
  subjects: ["contract"],
  contracts: [TerminatedSubscription],
  decide: ({ facts, rules, sv }, { key: created }) => {
    const row = facts.findRow(TerminatedSubscription, created);
    const terminated = row === null ? null : facts.read(TerminatedSubscription, row);
    const context = terminated === null ? null : facts.findContext(terminated.payload.reference);
    if (terminated === null || context === null) return [];
    const { contractId: terminatedSubscriptionCid } = terminated;
    const argument = { ansEntryContextCid: context.cid, terminatedSubscriptionCid };
    const command = exerciseDsoRules(rules, sv, "DsoRules_TerminateSubscription", argument);
    return [{ key: `terminate ${terminatedSubscriptionCid}`, commands: [command], takes: 1 }];
  },
});
