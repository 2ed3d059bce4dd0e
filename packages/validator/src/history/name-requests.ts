/**
 * Requests for names and how each ended, for the user who asked: purchases, and cancelled names that are taken up again. The
 * user sees every contract of a request. A request is known by the id that all of them refer to.
 */
import type { CreatedEvent, ExercisedEvent, RefundReason, Transaction } from "@callsign/api";
import {
  Amulet,
  formatDecimal,
  Subscription,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  TakeUpRequest,
} from "@callsign/ledger";
import { isOf, payloadOf, resultOf } from "./event-values.ts";
import { findKnown, type KnownFacts } from "./known-contracts.ts";
import { decideRejectionReason } from "./refund-reason.ts";

export type NameRequestEnd = "registered" | "given_back" | "expired" | "rejected" | "withdrawn" | "refused";

export type NameRequestStep =
  | { readonly kind: "paid"; readonly amount: string }
  | {
      readonly kind: "ended";
      readonly state: NameRequestEnd;
      readonly reason: RefundReason | null;
      /** The coin that came back. */
      readonly refund: string | null;
    };

export interface NameRequestChange {
  readonly reference: string;
  readonly step: NameRequestStep;
  readonly at: string;
  readonly updateId: string;
  readonly offset: number;
}

export interface NameRequestTerms {
  readonly dso: string;
  readonly acronym: string;
}

export function deriveNameRequestChanges(
  update: Transaction,
  known: KnownFacts,
  terms: NameRequestTerms,
): readonly NameRequestChange[] {
  const { effectiveAt: at, updateId, offset } = update;
  return update.events.flatMap((event) => {
    const found =
      "CreatedEvent" in event
        ? readCreated(event.CreatedEvent, terms)
        : "ExercisedEvent" in event
          ? readExercised(event.ExercisedEvent, update, { known, ...terms })
          : undefined;
    return found === undefined ? [] : [{ ...found, at, updateId, offset }];
  });
}

type Found = Pick<NameRequestChange, "reference" | "step"> | undefined;

function ended(state: NameRequestEnd, reason: RefundReason | null = null, refund: string | null = null) {
  return { kind: "ended", state, reason, refund } as const;
}

function readCreated(event: CreatedEvent, { dso }: NameRequestTerms): Found {
  if (isOf(event, SubscriptionInitialPayment)) {
    const { subscriptionData, reference, targetAmount } = payloadOf(SubscriptionInitialPayment, event);
    if (subscriptionData.receiver !== dso) return undefined;
    return { reference, step: { kind: "paid", amount: formatDecimal(targetAmount) } };
  }
  if (!isOf(event, Subscription)) return undefined;
  const { subscriptionData, reference } = payloadOf(Subscription, event);
  return subscriptionData.receiver === dso ? { reference, step: ended("registered") } : undefined;
}

const ENDS: Readonly<Record<string, NameRequestEnd>> = {
  SubscriptionRequest_Reject: "rejected",
  SubscriptionRequest_Withdraw: "withdrawn",
  TakeUpRequest_Discard: "refused",
  TakeUpRequest_Withdraw: "withdrawn",
};

function readExercised(
  event: ExercisedEvent,
  update: Transaction,
  { known, acronym }: NameRequestTerms & { readonly known: KnownFacts },
): Found {
  const { choice, contractId } = event;
  if (isOf(event, SubscriptionRequest) || isOf(event, TakeUpRequest)) {
    const end = Object.hasOwn(ENDS, choice) ? ENDS[choice] : undefined;
    return end === undefined ? undefined : { reference: contractId, step: ended(end) };
  }
  if (!isOf(event, SubscriptionInitialPayment)) return undefined;
  const payment = findKnown(known, SubscriptionInitialPayment, contractId);
  if (payment === undefined) return undefined;
  const { reference } = payment;
  if (choice === "SubscriptionInitialPayment_Expire") {
    const { amuletSum } = resultOf(SubscriptionInitialPayment, choice, event);
    return { reference, step: ended("expired", "not_collected", amountOf(update, amuletSum.amulet)) };
  }
  const requested = known.names.get(reference);
  if (choice !== "SubscriptionInitialPayment_Reject" || requested === undefined) return undefined;
  const { amuletSum } = resultOf(SubscriptionInitialPayment, choice, event);
  const rounds = { paidIn: payment.round.number, rejectedIn: amuletSum.round.number };
  const reason = decideRejectionReason(requested, rounds, acronym);
  return { reference, step: ended("given_back", reason, amountOf(update, amuletSum.amulet)) };
}

function amountOf({ events }: Transaction, coin: string): string | null {
  for (const event of events) {
    if (!("CreatedEvent" in event) || event.CreatedEvent.contractId !== coin) continue;
    return formatDecimal(payloadOf(Amulet, event.CreatedEvent).amount.initialAmount);
  }
  return null;
}
