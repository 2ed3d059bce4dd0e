/** A terminated subscription goes together with the context it ends. Without a context there is nothing to end. */
import { TerminatedSubscription } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";

export const endSubscriptions = defineAutomation({
  name: "end-subscriptions",
  subjects: ["contract"],
  contracts: [TerminatedSubscription],
  decide: ({ facts, task }, { key: created }) => {
    const row = facts.findRow(TerminatedSubscription, created);
    const terminated = row === null ? null : facts.read(TerminatedSubscription, row);
    const context = terminated === null ? null : facts.findContext(terminated.payload.reference);
    if (terminated === null || context === null) return [];
    const { contractId: terminatedSubscriptionCid } = terminated;
    const argument = { ansEntryContextCid: context.cid, terminatedSubscriptionCid };
    return [task(`terminate ${terminatedSubscriptionCid}`, "DsoRules_TerminateSubscription", argument)];
  },
});
