/**
 * Names and the subscriptions that pay for them. Each registration is followed from its collection on: when the
 * first payment was collected, how often it was renewed, which contract is its entry now.
 */

import { RequestWithdrawal } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { TakeUpRequest } from "../../../packages/ledger/src/contracts/callsign-names/declarations/take-up.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration, ArgumentOf } from "../../../packages/ledger/src/engine/declaration.ts";
import type { Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import { isVisible } from "../../../packages/ledger/src/names/entry-liveness.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import { DAY } from "../../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import type { Time } from "../../../packages/ledger/src/values/time.ts";
import { type Book, listExercises } from "./book.ts";
import { hold } from "./violation.ts";

type Rules = (typeof AnsRules)["choices"];
type CollectInitial = ArgumentOf<Rules["AnsRules_CollectInitialEntryPayment"]>;
type CollectRenewal = ArgumentOf<Rules["AnsRules_CollectEntryRenewalPayment"]>;
interface Collected {
  readonly entryCid: ContractId;
  readonly subscriptionStateCid: ContractId;
}

interface Registration {
  /** The end of the time that was paid when it began. */
  readonly firstEnd: bigint;
  readonly lifetime: bigint;
  renewals: bigint;
  entryCid: ContractId;
  /** True once another subscription has taken its entry up: it can never renew it again. */
  isReplaced: boolean;
}

export class Names {
  readonly #dso: PartyId;
  /** By the reference that ties context, payments and subscription together. */
  readonly #registrations = new Map<ContractId, Registration>();

  constructor(dso: PartyId) {
    this.#dso = dso;
  }

  /** Follows collections; a registration's dates are those of I9 at each of them. */
  follow(transaction: Transaction, book: Book): void {
    const ofDso = (contractId: ContractId) => book.payload(AnsRules, contractId).dso === this.#dso;
    for (const node of listExercises(transaction, "AnsRules_CollectInitialEntryPayment")) {
      if (!ofDso(node.contractId)) continue;
      const { paymentCid } = node.argument.value as CollectInitial;
      const { entryCid } = node.result.value as Collected;
      const { reference, payData } = book.payload(SubscriptionInitialPayment, paymentCid);
      const lifetime = payData.paymentInterval.microseconds;
      const firstEnd = transaction.ledgerTime + lifetime;
      this.#registrations.set(reference, { firstEnd, lifetime, renewals: 0n, entryCid, isReplaced: false });
    }
    for (const node of listExercises(transaction, "TakeUpRequest_Accept")) this.#followTakeUp(node, book);
    for (const node of listExercises(transaction, "AnsRules_CollectEntryRenewalPayment")) {
      if (!ofDso(node.contractId)) continue;
      const { paymentCid, entryCid: before } = node.argument.value as CollectRenewal;
      const { entryCid } = node.result.value as Collected;
      const { reference, thisPaymentDueAt } = book.payload(SubscriptionPayment, paymentCid);
      const { expiresAt } = book.payload(AnsEntry, before);
      const isInTime = transaction.ledgerTime < expiresAt && thisPaymentDueAt === expiresAt;
      hold("I10 a renewal is collected before the entry expires", isInTime, () => `${expiresAt}`);
      const registration = this.#get(reference);
      const isOwn = registration.entryCid === before && !registration.isReplaced;
      hold("a renewal renews its own entry", isOwn, () => before);
      registration.renewals += 1n;
      registration.entryCid = entryCid;
    }
  }

  /** The entry goes on without a gap, for the same user, and its subscription of before never renews it again. */
  #followTakeUp(node: ReturnType<typeof listExercises>[number], book: Book): void {
    const request = book.payload(TakeUpRequest, node.contractId);
    if (request.dso !== this.#dso) return;
    const { entryCid } = node.result.value as Collected;
    const { expiresAt: ended, ...before } = book.payload(AnsEntry, request.entry);
    const { expiresAt: firstEnd, ...after } = book.payload(AnsEntry, entryCid);
    const isSame = JSON.stringify(before) === JSON.stringify(after) && before.user === request.user;
    hold("a name is taken up by its holder, as it was", isSame, () => before.name);
    hold("an entry that is taken up ends a microsecond later", firstEnd === ended + 1n, () => before.name);
    for (const each of this.#registrations.values())
      if (each.entryCid === request.entry) each.isReplaced = true;
    const lifetime = request.payData.paymentInterval.microseconds;
    const registration = { firstEnd, lifetime, renewals: 0n, entryCid, isReplaced: false };
    this.#registrations.set(node.contractId, registration);
  }

  /** I9: after k renewals an entry expires k + 1 lifetimes after its first payment was collected. */
  expiryIndependsOfWhenRenewalsWerePaid(book: Book): void {
    for (const [reference, { firstEnd, lifetime, renewals, entryCid }] of this.#registrations) {
      if (!book.active.has(entryCid)) continue;
      const { expiresAt } = book.payload(AnsEntry, entryCid);
      hold(
        "I9 expiresAt = first end + renewals × lifetime",
        expiresAt === firstEnd + renewals * lifetime,
        () => {
          return `${reference}: ${expiresAt} after ${renewals} renewals, at first ${firstEnd}`;
        },
      );
    }
  }

  /** I6: the next payment of a subscription is due when its entry expires, paid or not. */
  dueDatesAreExpiryDates(book: Book): void {
    const states = [
      ...book.signedBy(this.#dso, SubscriptionIdleState).map(({ payload }) => {
        return { reference: payload.reference, due: payload.nextPaymentDueAt };
      }),
      ...book.signedBy(this.#dso, SubscriptionPayment).map(({ payload }) => {
        return { reference: payload.reference, due: payload.thisPaymentDueAt };
      }),
    ];
    for (const { reference, due } of states) {
      const { firstEnd, lifetime, renewals, entryCid } = this.#get(reference);
      const { expiresAt } = book.payload(AnsEntry, entryCid);
      const isRight = due === expiresAt && due === firstEnd + renewals * lifetime;
      hold(
        "I6 a payment is due when the entry expires",
        isRight,
        () => `${reference}: ${due}, not ${expiresAt}`,
      );
    }
  }

  /** Every entry of the DSO's came from a collected payment. */
  entriesArePaidFor(book: Book): void {
    const paid = new Set([...this.#registrations.values()].map(({ entryCid }) => entryCid));
    for (const { contractId, payload } of book.signedBy(this.#dso, AnsEntry)) {
      hold("an entry is paid for", paid.has(contractId), () => payload.name);
    }
  }

  #get(reference: ContractId): Registration {
    const found = this.#registrations.get(reference);
    hold("a subscription begins with a collected payment", found !== undefined, () => reference);
    return found;
  }
}

/** I5: at any time at most one unexpired entry a name. I18: an entry is visible up to the microsecond it expires. */
export function namesAreUnique(dso: PartyId, now: Time, book: Book): void {
  const owners = new Map<string, PartyId>();
  for (const { payload } of book.signedBy(dso, AnsEntry)) {
    const { name, user, expiresAt } = payload;
    hold(
      "I18 visible up to and including expiresAt",
      isVisible({ expiresAt, now }) === expiresAt >= now,
      () => name,
    );
    if (expiresAt < now) continue;
    hold("I5 at most one unexpired entry a name", !owners.has(name), () => {
      return `${name} belongs to ${owners.get(name)} and to ${user}`;
    });
    owners.set(name, user);
  }
}

/** I7: a subscription is either idle or being paid, never both and never neither. */
export function subscriptionsHaveOneState(dso: PartyId, book: Book): void {
  const states = [
    ...book.signedBy(dso, SubscriptionIdleState),
    ...book.signedBy(dso, SubscriptionPayment),
  ].map(({ payload }) => payload.subscription);
  const subscriptions = book.signedBy(dso, Subscription).map(({ contractId }) => contractId);
  const sorted = (contractIds: readonly ContractId[]) => [...contractIds].sort().join("\n");
  hold("I7 one of idle state and payment a subscription", sorted(states) === sorted(subscriptions), () => {
    return `${states.length} states of ${subscriptions.length} subscriptions`;
  });
}

/** I8: a context stands for exactly one request, initial payment, subscription or tombstone, until it is terminated. */
export function contextsHaveOneOtherHalf(dso: PartyId, book: Book): void {
  const halves = new Map<ContractId, string[]>();
  const note = (reference: ContractId, what: string) => {
    halves.set(reference, [...(halves.get(reference) ?? []), what]);
  };
  for (const { contractId } of book.signedBy(dso, SubscriptionRequest)) note(contractId, "request");
  const others: readonly AnyTemplateDeclaration[] = [
    SubscriptionInitialPayment,
    Subscription,
    TerminatedSubscription,
  ];
  for (const template of others) {
    for (const { payload } of book.signedBy(dso, template)) {
      note((payload as { readonly reference: ContractId }).reference, template.entity);
    }
  }
  for (const { payload } of book.signedBy(dso, AnsEntryContext)) {
    const found = halves.get(payload.reference) ?? [];
    hold("I8 a context has exactly one other half", found.length === 1, () => {
      return `${payload.name} of ${payload.user} has ${found.join(" and ") || "none"}`;
    });
  }
}

/** I10, I11: what may be paid and expired, and when, told from what was. */
export function datesAreKept(transaction: Transaction, dso: PartyId, book: Book): void {
  const now = transaction.ledgerTime;
  for (const { contractId } of listExercises(transaction, "SubscriptionIdleState_MakePayment")) {
    const { nextPaymentDueAt, payData } = book.payload(SubscriptionIdleState, contractId);
    const isOpen = now + payData.paymentDuration.microseconds >= nextPaymentDueAt;
    hold("I10 no payment before its window", isOpen, () => `due at ${nextPaymentDueAt}`);
  }
  for (const { contractId } of listExercises(transaction, "SubscriptionIdleState_ExpireSubscription")) {
    const { nextPaymentDueAt } = book.payload(SubscriptionIdleState, contractId);
    hold("no subscription lapses before its due date has passed", nextPaymentDueAt < now, () => contractId);
  }
  for (const { contractId, argument } of listExercises(transaction, "AnsEntry_Expire")) {
    const { expiresAt, user, dso: signer } = book.payload(AnsEntry, contractId);
    const { actor } = argument.value as { readonly actor: PartyId };
    const isRight = expiresAt < now && (actor === user || actor === signer);
    hold("I11 an entry is expired after its time, by a signatory", isRight, () => `${expiresAt} by ${actor}`);
  }
  for (const { argument } of listExercises(transaction, "NameCare_WithdrawRequest")) {
    const { withdrawalCid } = argument.value as { readonly withdrawalCid: ContractId };
    const { withdrawableAt } = book.payload(RequestWithdrawal, withdrawalCid);
    hold("no request is withdrawn before its notice has run out", withdrawableAt <= now, () => withdrawalCid);
  }
  for (const node of transaction.nodes) {
    if (node.kind === "create" && node.contract.templateId === RequestWithdrawal.id) {
      const notice = node.value as RequestWithdrawal;
      const isThirtyDays = notice.withdrawableAt === now + 30n * DAY;
      if (notice.dso === dso) hold("notice is given for thirty days", isThirtyDays, () => notice.reference);
    }
    if (node.kind === "create" && node.contract.templateId === AnsEntry.id) {
      const entry = node.value as AnsEntry;
      if (entry.dso === dso)
        hold("I17 names, urls and descriptions are valid", isRegistrable(entry), () => entry.name);
    }
  }
}

/** I17: in our own words: 1 to 45 of a–z, 0–9, `_`, `-`; at most 255 of an http(s) url; at most 140 of description. */
export function isRegistrable({ name, url, description }: AnsEntry): boolean {
  return (
    /^[a-z0-9_-]{1,45}\.unverified\.cns$/.test(name) &&
    (url === "" || (url.length <= 255 && /^https?:\/\/\S+$/i.test(url))) &&
    description.length <= 140
  );
}
