/** A subscription whose renewal nobody paid ends together with its context. */
import { isExpirable, SubscriptionIdleState } from "@callsign/ledger";
import { defineAutomation } from "../dso-automation.ts";
import { exerciseDsoRules } from "../exercise-dso-rules.ts";

export const expireSubscriptions = defineAutomation({
  name: "expire-subscriptions",
  subjects: ["contract"],
  contracts: [SubscriptionIdleState],
  decide: ({ facts, rules, sv }, { key: created }) => {
    const row = facts.findRow(SubscriptionIdleState, created);
    const idle = row === null ? null : facts.read(SubscriptionIdleState, row);
    if (idle === null || !isExpirable({ expiresAt: idle.payload.nextPaymentDueAt, now: facts.now }))
      return [];
    const context = facts.findContext(idle.payload.reference);
    if (context === null) return [];
    const command = exerciseDsoRules(rules, sv, "DsoRules_ExpireSubscription", {
      ansEntryContextCid: context.cid,
      subscriptionIdleStateCid: idle.contractId,
      choiceArg: { actor: rules.dso },
    });
    return [{ key: `expire ${idle.contractId}`, commands: [command], takes: 1 }];
  },
});
