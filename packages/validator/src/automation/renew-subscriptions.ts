/**
 * Pays renewals when they are due, for users who have not switched that off. Where coin is short, the names that expire
 * first are renewed; the others wait for coin, and their status says how much each of them needs.
 */
import { AnsEntry, AnsEntryContext, RenewalPreference, SubscriptionIdleState } from "@callsign/ledger";
import { SKIPPED, waiting } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { isProblem } from "../errors/validator-error.ts";
import { RENEWING_OWNERS_AT_ONCE } from "../limits/limits.ts";
import { payableOf } from "../store/automation-reads.ts";
import { decideRenewalPayment } from "../wallet/decide-renewal-payment.ts";
import { describeRenewal } from "../wallet/describe-renewal.ts";
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
      const paid = payRenewal(parts, wallet, { idleState: idle.contractId, asker: "automation" });
      return await outcomeOf(paid).catch(async (error: unknown) => {
        if (!isProblem(error, "not-enough-coin")) throw error;
        return waiting(describeError(error), "coin", await describeRenewal(parts, idle));
      });
    },
  };
}
