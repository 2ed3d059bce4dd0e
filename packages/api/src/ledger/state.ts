/** The end of the participant's ledger, and the contracts that are active at an offset. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { nothing, oneOf } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { EventFormat, TransactionFilter } from "./event-format.ts";
import { CreatedEvent } from "./events.ts";
import { listQuery } from "./list-query.ts";
import { boolean, bytes, string } from "./proto.ts";
import { AssignedEvent, UnassignedEvent } from "./reassignments.ts";

const GetActiveContractsRequest = z
  .object({
    filter: orNull(TransactionFilter),
    verbose: boolean,
    activeAtOffset: int64.default(0),
    eventFormat: orNull(EventFormat),
    streamContinuationToken: orNull(bytes),
  })
  .meta({ id: "GetActiveContractsRequest", required: ["activeAtOffset"] });

export const ActiveContract = z
  .object({
    workflowId: string,
    contractEntry: oneOf({
      JsActiveContract: z.object({
        createdEvent: CreatedEvent,
        synchronizerId: z.string(),
        reassignmentCounter: int64,
      }),
      JsEmpty: nothing,
      JsIncompleteAssigned: z.object({ assignedEvent: AssignedEvent }),
      JsIncompleteUnassigned: z.object({ createdEvent: CreatedEvent, unassignedEvent: UnassignedEvent }),
    }),
    streamContinuationToken: string,
  })
  .meta({ id: "JsGetActiveContractsResponse" });
export type ActiveContract = z.output<typeof ActiveContract>;

/** The default and the largest number of contracts in a page. */
export const DEFAULT_ACS_PAGE_SIZE = 2000;
export const MAX_ACS_PAGE_SIZE = 10_000;

const GetActiveContractsPageRequest = z
  .object({
    /** Absent: the ledger's end, which the answer tells. */
    activeAtOffset: orNull(int64),
    eventFormat: orNull(EventFormat),
    maxPageSize: orNull(int32),
    /** Of the page before, whose request was the same. */
    pageToken: orNull(bytes),
  })
  .meta({ id: "GetActiveContractsPageRequest", required: ["eventFormat"] });

const GetActiveContractsPageResponse = z
  .object({
    activeContracts: z.array(ActiveContract),
    activeAtOffset: int64,
    /** Null on the last page. */
    nextPageToken: orNull(bytes),
  })
  .meta({ id: "JsGetActiveContractsPageResponse" });

const activeContractsPage = {
  path: "/v2/state/active-contracts-page",
  auth: "ledger:read-as",
  body: GetActiveContractsPageRequest,
  success: json(GetActiveContractsPageResponse),
  errors: [400, 401, 403, 404],
} as const;

export const ledgerState = defineEndpoints({ tags: ["state"] })({
  getLedgerEnd: {
    method: "GET",
    path: "/v2/state/ledger-end",
    summary: "The offset of the last update, 0 if there is none",
    auth: "ledger:public",
    success: json(z.object({ offset: int64.default(0) })),
    errors: [401, 403],
  },
  getLatestPrunedOffsets: {
    method: "GET",
    path: "/v2/state/latest-pruned-offsets",
    summary: "The offset up to which history was dropped, 0 if it is whole",
    auth: "ledger:public",
    success: json(
      z
        .object({
          participantPrunedUpToInclusive: int64.default(0),
          allDivulgedContractsPrunedUpToInclusive: int64.default(0),
        })
        .meta({ id: "GetLatestPrunedOffsetsResponse" }),
    ),
    errors: [401, 403],
  },
  listActiveContracts: {
    method: "POST",
    path: "/v2/state/active-contracts",
    summary: "Contracts that are active at an offset, as the caller's parties see them",
    auth: "ledger:read-as",
    query: listQuery,
    body: GetActiveContractsRequest,
    success: json(z.array(ActiveContract)),
    errors: [400, 401, 403, 404, 413],
    streamItem: ActiveContract,
  },
  getActiveContractsPage: {
    method: "POST",
    summary: "A page of the contracts that are active at an offset",
    ...activeContractsPage,
  },
  getActiveContractsPageByGet: {
    method: "GET",
    summary: "The same, with the request as the body of a GET",
    deprecated: true,
    bodyMayBeAbsent: true,
    ...activeContractsPage,
  },
});
