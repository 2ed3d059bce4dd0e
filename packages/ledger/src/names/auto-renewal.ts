// The decision of a wallet to pay for a renewal on its own.
//
// The ledger would take a payment at any time from the start of the window, also after the due date, where the
// SVs can no longer collect it: the coin would be locked for nothing. So the wallet pays inside
// [due − duration, due) only, and only for a user who has auto-renewal on (the seed, "States and transitions").
import { isPaymentAllowed, isRenewalCollectable } from "./entry-liveness.ts";

export type AutoRenewalFacts = {
  readonly now: bigint;
  readonly nextPaymentDueAt: bigint;
  readonly paymentDuration: bigint;
  readonly autoRenew: boolean;
  /** True if the entry the subscription pays for has expired or is gone. */
  readonly entryExpired: boolean;
};

export type AutoRenewalDecision =
  | { readonly kind: "pay" }
  /** Nothing to do before `from`; the decision is taken again then. */
  | { readonly kind: "wait"; readonly from: bigint }
  /** Nothing becomes due by time alone: it takes a change of the switch, or a new registration. */
  | { readonly kind: "never"; readonly reason: "auto-renewal off" | "entry expired" | "due date passed" };

export function decideAutoRenewal(facts: AutoRenewalFacts): AutoRenewalDecision {
  const { now, nextPaymentDueAt: due, paymentDuration, autoRenew, entryExpired } = facts;
  if (!autoRenew) return { kind: "never", reason: "auto-renewal off" };
  if (entryExpired) return { kind: "never", reason: "entry expired" };
  // The due date of a live entry's subscription is the time at which the entry expires.
  if (!isRenewalCollectable({ expiresAt: due, now })) return { kind: "never", reason: "due date passed" };
  if (isPaymentAllowed({ due, paymentDuration, now })) return { kind: "pay" };
  return { kind: "wait", from: due - paymentDuration };
}
