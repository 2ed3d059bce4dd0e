/** Whose contracts a request asks to see, gathered from the formats that it carries. */
import type { Endpoint, EventFormat, ServerRequest, TransactionFormat, UpdateFormat } from "@callsign/api";

export interface ReadScope {
  readonly parties: readonly string[];
  /** Whether it asks for every party. */
  readonly any: boolean;
}

interface Formats {
  readonly eventFormat?: EventFormat | null;
  readonly filter?: Pick<EventFormat, "filtersByParty" | "filtersForAnyParty"> | null;
  readonly updateFormat?: UpdateFormat | null;
  readonly transactionFormat?: TransactionFormat | null;
  readonly requestingParties?: readonly string[];
}

/** Without any format there is nothing to see, and the operation says what is missing. */
export function listReadScopes(request: ServerRequest<Endpoint>): readonly ReadScope[] {
  const { query, body } = request;
  // Where nothing is sent, the parties stand in the query.
  const given = (body ?? { requestingParties: (query as { parties?: string[] }).parties }) as Formats;
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
