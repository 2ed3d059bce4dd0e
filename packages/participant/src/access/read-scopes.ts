/** The parties that a request wants to read for, collected from its formats. */
import type { EventFormat, TransactionFormat, UpdateFormat } from "@callsign/api";
import type { LedgerRequest, RequestUnder } from "./ledger-request.ts";

/** A request that carries formats. */
export type FormattedRequest =
  | RequestUnder<"ledger:read-as">
  | Extract<LedgerRequest, { readonly id: "submitAndWaitForTransaction" }>;

export interface ReadScope {
  readonly parties: readonly string[];
  /** True if it asks for every party. */
  readonly any: boolean;
}

interface Formats {
  readonly eventFormat?: EventFormat | null;
  readonly filter?: Pick<EventFormat, "filtersByParty" | "filtersForAnyParty"> | null;
  readonly updateFormat?: UpdateFormat | null;
  readonly transactionFormat?: TransactionFormat | null;
  readonly requestingParties?: readonly string[];
}

/** Empty for a request without formats: the operation says which one is missing. */
export function listReadScopes(request: FormattedRequest): readonly ReadScope[] {
  // A request without a body has its parties in the query.
  const given: Formats = request.body ?? { requestingParties: request.query.parties };
  const { eventFormat, filter, updateFormat, transactionFormat, requestingParties = [] } = given;
  const formats = [
    eventFormat,
    filter,
    transactionFormat?.eventFormat,
    updateFormat?.includeTransactions?.eventFormat,
    updateFormat?.includeReassignments,
  ];
  const scopes = formats.flatMap((format) =>
    format === null || format === undefined
      ? []
      : [{ parties: Object.keys(format.filtersByParty), any: format.filtersForAnyParty !== null }],
  );
  if (requestingParties.length > 0) scopes.push({ parties: [...requestingParties], any: false });
  const topology = updateFormat?.includeTopologyEvents?.includeParticipantAuthorizationEvents;
  if (topology === null || topology === undefined) return scopes;
  return [...scopes, { parties: topology.parties, any: topology.parties.length === 0 }];
}
