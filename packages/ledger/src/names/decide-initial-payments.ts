// The SVs' decision on the payments that wait for one name: collect one of them, give the others back.
//
// The choice depends on these facts and on nothing else, so every SV that has applied the same log makes the
// same one. The earliest payment in the log that can be collected gets the name. A payment that
// fails for a reason of its own, such as a closed round or a bad url, does not block the others.
import { type Parsed, show } from "../values/parsed.ts";
import { parseEntryDescription } from "./entry-description.ts";
import { isVisible } from "./entry-liveness.ts";
import { type EntryName, parseEntryName } from "./entry-name.ts";
import { parseEntryUrl } from "./entry-url.ts";
import { findNewestRound, findOpenRound, type OpenRound } from "./open-rounds.ts";

export type InitialPaymentFacts = {
  /** The name all these payments are for, as their contexts spell it. */
  readonly name: string;
  readonly acronym: string;
  /** The record time of the last applied log entry, in microseconds. */
  readonly now: bigint;
  /** The SubscriptionInitialPayments that are still active, in the order of the log, the earliest first. */
  readonly payments: readonly PendingInitialPayment[];
  readonly openRounds: readonly OpenRound[];
  /** Of the AnsEntries with that name the one that expires last, or null if there is none. */
  readonly entry: { readonly expiresAt: bigint } | null;
  readonly amuletRulesCid: string;
  readonly ansRulesCid: string;
};

export type PendingInitialPayment = {
  readonly paymentCid: string;
  /** The number of the round in which the coin was locked. */
  readonly round: bigint;
  /** False once the owner has taken the payment's coin out, which is allowed after the lock has run out. */
  readonly isLocked: boolean;
  /** The AnsEntryContext with the payment's reference, or null if it has not been seen. */
  readonly context: { readonly cid: string; readonly url: string; readonly description: string } | null;
};

/** The contracts that the action to confirm names. The decision is taken again when one of them is archived. */
export type InitialPaymentAction = {
  readonly paymentCid: string;
  readonly contextCid: string;
  readonly amuletRulesCid: string;
  readonly openMiningRoundCid: string;
  readonly ansRulesCid: string;
};

export type InitialPaymentDecision =
  | ({ readonly kind: "collect" } & InitialPaymentAction)
  | ({ readonly kind: "reject" } & InitialPaymentFault & InitialPaymentAction)
  | {
      readonly kind: "leave";
      readonly paymentCid: string;
      readonly reason: "no context" | "no open round" | "coin gone";
    };

export type InitialPaymentFault = {
  readonly reason:
    | "round closed"
    | "invalid name"
    | "invalid url"
    | "invalid description"
    | "name taken"
    | "earlier payment";
  /** A sentence for people; it is not part of the action. */
  readonly message: string;
};

/** One decision a payment, in the order of the payments. At most one of them is to collect. */
export function decideInitialPayments(facts: InitialPaymentFacts): InitialPaymentDecision[] {
  const decisions: InitialPaymentDecision[] = [];
  const name = parseEntryName(facts.name, facts.acronym);
  let winner: string | null = null;
  for (const payment of facts.payments) {
    const decision = decideOne(payment, { name, winner }, facts);
    if (decision.kind === "collect") winner = decision.paymentCid;
    decisions.push(decision);
  }
  return decisions;
}

function decideOne(
  payment: PendingInitialPayment,
  given: {
    readonly name: Parsed<EntryName>;
    /** The earlier payment that is to be collected. */
    readonly winner: string | null;
  },
  facts: InitialPaymentFacts,
): InitialPaymentDecision {
  const { paymentCid, context } = payment;
  // Both actions are choices on the context: without it neither can be confirmed.
  if (context === null) return { kind: "leave", paymentCid, reason: "no context" };
  // Every choice on a payment without its coin fails: it must not keep the name from others, nor the SVs busy.
  if (!payment.isLocked) return { kind: "leave", paymentCid, reason: "coin gone" };
  const ownRound = findOpenRound(facts.openRounds, payment.round);
  // Coin can be collected in its own round only. A rejection names that round too while it is open: the newest
  // one changes with every round, and SVs that decide at different times would confirm different actions.
  const round = ownRound ?? findNewestRound(facts.openRounds);
  if (round === undefined) return { kind: "leave", paymentCid, reason: "no open round" };
  const action: InitialPaymentAction = {
    paymentCid,
    contextCid: context.cid,
    amuletRulesCid: facts.amuletRulesCid,
    openMiningRoundCid: round.cid,
    ansRulesCid: facts.ansRulesCid,
  };
  const fault =
    (ownRound === undefined ? closedRound(payment.round) : null) ??
    findContentFault(given.name, context) ??
    findNameConflict(facts, given.winner);
  return fault === null ? { kind: "collect", ...action } : { kind: "reject", ...fault, ...action };
}

function closedRound(round: bigint): InitialPaymentFault {
  return { reason: "round closed", message: `The coin was locked in round ${round}, which has closed.` };
}

function findContentFault(
  name: Parsed<EntryName>,
  { url, description }: { readonly url: string; readonly description: string },
): InitialPaymentFault | null {
  if (!name.ok) return { reason: "invalid name", message: name.error };
  const parsedUrl = parseEntryUrl(url);
  if (!parsedUrl.ok) return { reason: "invalid url", message: parsedUrl.error };
  const parsedDescription = parseEntryDescription(description);
  if (!parsedDescription.ok) return { reason: "invalid description", message: parsedDescription.error };
  return null;
}

function findNameConflict(facts: InitialPaymentFacts, winner: string | null): InitialPaymentFault | null {
  const { name, entry, now } = facts;
  if (entry !== null && isVisible({ expiresAt: entry.expiresAt, now })) {
    return {
      reason: "name taken",
      message: `Name ${show(name)} is registered and has not expired.`,
    };
  }
  if (winner !== null) {
    const message = `Name ${show(name)} goes to an earlier payment, ${winner}.`;
    return { reason: "earlier payment", message };
  }
  return null;
}
