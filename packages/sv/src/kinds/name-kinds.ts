/** Names: requests, payments, subscriptions, entries. */
import {
  AnsEntry,
  AnsEntryContext,
  type ContractId,
  RequestWithdrawal,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TakeUpRequest,
  TerminatedSubscription,
} from "@callsign/ledger";
import { type AgendaRow, agendaKind, type ColumnContext, dueByItself, itself } from "./agenda-kind.ts";
import { contentKey, textKey } from "./keys.ts";
import type { Subject } from "./subject.ts";

export const NAME_KINDS = [
  agendaKind(AnsEntryContext, { columnsOf: ({ reference }) => ({ referenceKey: contentKey(reference) }) }),
  agendaKind(AnsEntry, {
    columnsOf: ({ name, expiresAt }, { hash }) => ({ nameKey: textKey(hash, name), due: expiresAt + 1n }),
    subjectsOf: (row) => [...nameOf(row), itself(row)],
  }),
  agendaKind(SubscriptionRequest, {
    columnsOf: (_request, { requestWait }, { contractId, createdAt }) => ({
      referenceKey: contentKey(contractId),
      due: createdAt + requestWait,
    }),
    subjectsOf: requestOf,
  }),
  agendaKind(RequestWithdrawal, {
    columnsOf: ({ reference, withdrawableAt }) => ({
      referenceKey: contentKey(reference),
      due: withdrawableAt,
    }),
    subjectsOf: requestOf,
  }),
  agendaKind(SubscriptionInitialPayment, {
    columnsOf: ({ reference }, context) => ({ nameKey: nameKeyOf(context, reference), pending: true }),
    coinOf: ({ lockedAmulet }) => lockedAmulet,
    subjectsOf: nameOf,
  }),
  agendaKind(SubscriptionPayment, {
    columnsOf: ({ reference, thisPaymentDueAt }, context) => ({
      nameKey: nameKeyOf(context, reference),
      due: thisPaymentDueAt,
      pending: true,
    }),
    coinOf: ({ lockedAmulet }) => lockedAmulet,
    // A payment without a context has no name, and is given back by itself.
    subjectsOf: (row) => (row.nameKey === null ? [itself(row)] : nameOf(row)),
  }),
  dueByItself(SubscriptionIdleState, ({ nextPaymentDueAt }) => nextPaymentDueAt + 1n),
  agendaKind(TakeUpRequest, {
    askedDso: ({ dso }) => dso,
    columnsOf: () => ({ pending: true }),
    subjectsOf: (row) => [itself(row)],
  }),
  agendaKind(TerminatedSubscription, {
    columnsOf: () => ({ pending: true }),
    subjectsOf: (row) => [itself(row)],
  }),
];

function nameKeyOf({ hash, nameOfReference }: ColumnContext, reference: ContractId): bigint | null {
  const name = nameOfReference(reference);
  return name === null ? null : textKey(hash, name);
}

function nameOf({ nameKey }: AgendaRow): readonly Subject[] {
  return nameKey === null ? [] : [{ kind: "name", key: nameKey }];
}

function requestOf({ referenceKey }: AgendaRow): readonly Subject[] {
  return referenceKey === null ? [] : [{ kind: "request", key: referenceKey }];
}
