/** Reads and checks a request for updates: transactions in a shape, hosting changes, and their parties. */
import type { ledgerApi, ServerRequest, TransactionFormat, UpdateFormat } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import { type EventFilter, readEventFilter } from "../events/event-filter.ts";
import type { Shape } from "../events/format-transaction.ts";
import type { UpdateView } from "../events/format-update.ts";
import { invalidArgument, missingField, needParty } from "../requests/identifiers.ts";

type UpdatesRequest = ServerRequest<typeof ledgerApi.endpoints.listUpdates>["body"];

/** `shape`: the shape of answers to the older form of request. */
export function readUpdateView(
  request: UpdatesRequest,
  catalogue: Catalogue,
  shape: Shape = "acs-delta",
): UpdateView {
  const { filter, updateFormat, verbose } = request;
  if (filter !== null && updateFormat !== null) {
    throw invalidArgument("Both update_format and filter are set: please use update_format only");
  }
  if (updateFormat !== null && verbose) {
    throw invalidArgument("Both update_format and verbose are set: please use update_format only");
  }
  if (filter !== null) {
    return viewTransactions({ filter: readEventFilter(filter, catalogue), shape });
  }
  if (updateFormat === null) throw invalidArgument("Either filter and verbose or update_format must be set");
  return readUpdateFormat(updateFormat, catalogue);
}

function viewTransactions(transactions: NonNullable<UpdateView["transactions"]>): UpdateView {
  return { transactions, topology: null, witnesses: witnessesOf(transactions.filter) };
}

export function readUpdateFormat(updateFormat: UpdateFormat, catalogue: Catalogue): UpdateView {
  const { includeTransactions, includeReassignments, includeTopologyEvents } = updateFormat;
  // Nothing is ever reassigned here, but faults of the format are reported all the same.
  if (includeReassignments !== null) readEventFilter(includeReassignments, catalogue);
  const transactions =
    includeTransactions === null ? null : readTransactionFormat(includeTransactions, catalogue);
  const authorizations = includeTopologyEvents?.includeParticipantAuthorizationEvents ?? null;
  const parties = authorizations?.parties.map(needParty) ?? [];
  return {
    transactions,
    topology: authorizations === null ? null : { parties: parties.length === 0 ? null : new Set(parties) },
    witnesses: transactions === null ? [] : witnessesOf(transactions.filter),
  };
}

export function readTransactionFormat(
  { eventFormat, transactionShape }: TransactionFormat,
  catalogue: Catalogue,
): { readonly filter: EventFilter; readonly shape: Shape } {
  if (eventFormat === null) throw missingField("event_format");
  if (transactionShape === "TRANSACTION_SHAPE_UNSPECIFIED") throw missingField("transaction_shape");
  const filter = readEventFilter(eventFormat, catalogue);
  return {
    filter,
    shape: transactionShape === "TRANSACTION_SHAPE_ACS_DELTA" ? "acs-delta" : "ledger-effects",
  };
}

function witnessesOf({ parties }: EventFilter): readonly string[] | null {
  return parties === null ? null : [...parties];
}
