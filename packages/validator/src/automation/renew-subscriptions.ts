/**
 * Pays renewals when they are due, for users who have not switched that off. Where coin is short, the names that expire
 * first are renewed.
 */
import { AnsEntry, AnsEntryContext, RenewalPreference, SubscriptionIdleState } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { RENEWING_OWNERS_AT_ONCE } from "../limits/limits.ts";
import { payableOf } from "../store/automation-reads.ts";
import { decideRenewalPayment } from "../wallet/decide-renewal-payment.ts";
import { payRenewal, renewsItself } from "../wallet/subscriptions.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function renewSubscriptions(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, clock, directory } = parts;
  return {
    name: "renew-subscriptions",
    concerns: [SubscriptionIdleState, AnsEntry, AnsEntryContext, RenewalPreference],
    ownersAtOnce: RENEWING_OWNERS_AT_ONCE,
    listDue: (now, after) => reads.listPayable(now, after),
    nextDueAt: (now) => reads.nextPayableAt(now),
    perform: async (task) => {
      const idle = await store.find(SubscriptionIdleState, payableOf(task));
      const wallet = idle === undefined ? undefined : await directory.findByParty(idle.owner);
      if (idle === undefined || wallet === undefined) return SKIPPED;
      const autoRenew = await renewsItself(store, wallet.party, idle.payload.reference);
      const decision = await decideRenewalPayment(store, idle, { now: clock.now, autoRenew });
      if (decision.kind !== "pay") return SKIPPED;
      return await outcomeOf(payRenewal(parts, wallet, { idleState: idle.contractId, asker: "automation" }));
    },
  };
}
