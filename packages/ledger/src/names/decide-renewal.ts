// The decision on a renewal payment: collect it, give the coin back, or leave it for now.
//
// Splice collects a good payment and ignores every other one, so that coin paid too late stays locked until
// its owner notices. Here such a payment is returned to its owner. That is right only if it can never be
// collected any more, and loses nothing then: the subscription is idle again, with the due date it had.
// - A round that has closed never opens again, and coin can be collected in its own round only.
// - Collecting needs an entry that expires exactly when the payment is due, at a time before that. Time only
//   moves forward, so once the due date has come it is too late for good, whether or not an entry is left.
// The ledger can see both for itself, and so it lets an SV give the coin back then and not before (NameCare). An
// entry that is missing or differs before that is nothing it can see: such a payment is left until its round has
// closed. So is one whose context, or a round to name, the replica has not seen yet.
import { isRenewalCollectable } from "./entry-liveness.ts";
import { findNewestRound, findOpenRound, type OpenRound } from "./open-rounds.ts";

export type RenewalFacts = {
  /** The record time of the last applied log entry, in microseconds. */
  readonly now: bigint;
  /** From the SubscriptionPayment; `round` is the number of the round in which the coin was locked. */
  readonly payment: {
    readonly cid: string;
    readonly round: bigint;
    readonly thisPaymentDueAt: bigint;
    /** False once the owner has taken the payment's coin out, which is allowed after the lock has run out. */
    readonly isLocked: boolean;
  };
  /** The AnsEntryContext with the payment's reference, or null if it has not been seen. */
  readonly context: (RenewedContent & { readonly cid: string }) | null;
  /** Of the AnsEntries with the context's name the one that expires last, or null if there is none. */
  readonly entry: (RenewedContent & { readonly cid: string; readonly expiresAt: bigint }) | null;
  readonly openRounds: readonly OpenRound[];
  readonly amuletRulesCid: string;
  readonly ansRulesCid: string;
};

/** The content that must be the same in the context and in the entry. */
export type RenewedContent = {
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly description: string;
};

export type RenewalDecision =
  | {
      readonly kind: "collect";
      readonly paymentCid: string;
      readonly contextCid: string;
      readonly entryCid: string;
      readonly amuletRulesCid: string;
      readonly openMiningRoundCid: string;
      readonly ansRulesCid: string;
    }
  /** The ledger lets the receiver give the coin back at once, any signatory from the lock's deadline on. */
  | {
      readonly kind: "return";
      readonly reason: "round closed" | "entry expired";
      readonly paymentCid: string;
      readonly amuletRulesCid: string;
      readonly openMiningRoundCid: string;
    }
  | {
      readonly kind: "leave";
      readonly paymentCid: string;
      readonly reason: "no context" | "no open round" | "entry missing or different" | "coin gone";
    };

export function decideRenewal(facts: RenewalFacts): RenewalDecision {
  const { now, payment, context, entry, openRounds, amuletRulesCid, ansRulesCid } = facts;
  const paymentCid = payment.cid;
  // Every choice on a payment without its coin fails, for every party.
  if (!payment.isLocked) return { kind: "leave", paymentCid, reason: "coin gone" };
  const ownRound = findOpenRound(openRounds, payment.round);
  const round = ownRound ?? findNewestRound(openRounds);
  if (round === undefined) return { kind: "leave", paymentCid, reason: "no open round" };
  const inputs = { paymentCid, amuletRulesCid, openMiningRoundCid: round.cid };
  if (ownRound === undefined) return { kind: "return", reason: "round closed", ...inputs };
  if (!isRenewalCollectable({ expiresAt: payment.thisPaymentDueAt, now })) {
    return { kind: "return", reason: "entry expired", ...inputs };
  }
  if (context === null) return { kind: "leave", paymentCid, reason: "no context" };
  if (entry === null || entry.expiresAt !== payment.thisPaymentDueAt || !hasSameContent(entry, context)) {
    return { kind: "leave", paymentCid, reason: "entry missing or different" };
  }
  return { kind: "collect", contextCid: context.cid, entryCid: entry.cid, ansRulesCid, ...inputs };
}

function hasSameContent(a: RenewedContent, b: RenewedContent): boolean {
  return a.owner === b.owner && a.name === b.name && a.url === b.url && a.description === b.description;
}
