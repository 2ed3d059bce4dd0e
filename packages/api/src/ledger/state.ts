/** Where the participant's ledger ends, and which contracts are active at an offset. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { nothing, oneOf } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { EventFormat, TransactionFilter } from "./event-format.ts";
import { CreatedEvent } from "./events.ts";
import { listQuery } from "./list-query.ts";
import { boolean, string } from "./proto.ts";
import { AssignedEvent, UnassignedEvent } from "./reassignments.ts";

const GetActiveContractsRequest = z
  .object({
    filter: orNull(TransactionFilter),
    verbose: boolean,
    activeAtOffset: int64.default(0),
    eventFormat: orNull(EventFormat),
    streamContinuationToken: orNull(z.string()),
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

export const ledgerState = defineEndpoints({
  getLedgerEnd: {
    method: "GET",
    path: "/v2/state/ledger-end",
    tags: ["state"],
    summary: "The offset of the last update, 0 if there is none",
    auth: "ledger:public",
    success: json(z.object({ offset: int64.default(0) })),
    errors: [401, 403],
  },
  getLatestPrunedOffsets: {
    method: "GET",
    path: "/v2/state/latest-pruned-offsets",
    tags: ["state"],
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
    tags: ["state"],
    summary: "Contracts that are active at an offset, as the caller's parties see them",
    auth: "ledger:read-as",
    query: listQuery,
    body: GetActiveContractsRequest,
    success: json(z.array(ActiveContract)),
    errors: [400, 401, 403, 413],
    streamItem: ActiveContract,
  },
});
