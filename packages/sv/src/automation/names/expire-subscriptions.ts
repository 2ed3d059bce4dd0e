/** A subscription whose renewal nobody paid ends together with its context. */
import { isExpirable, SubscriptionIdleState } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";

export const expireSubscriptions = defineAutomation({
  name: "expire-subscriptions",
  subjects: ["contract"],
  contracts: [SubscriptionIdleState],
  decide: ({ facts, rules, task }, { key: created }) => {
    const row = facts.findRow(SubscriptionIdleState, created);
    const idle = row === null ? null : facts.read(SubscriptionIdleState, row);
    if (idle === null || !isExpirable({ expiresAt: idle.payload.nextPaymentDueAt, now: facts.now }))
      return [];
    const context = facts.findContext(idle.payload.reference);
    if (context === null) return [];
    const { contractId: subscriptionIdleStateCid } = idle;
    const choiceArg = { actor: rules.dso };
    const argument = { ansEntryContextCid: context.cid, subscriptionIdleStateCid, choiceArg };
    return [task(`expire ${subscriptionIdleStateCid}`, "DsoRules_ExpireSubscription", argument)];
  },
});
