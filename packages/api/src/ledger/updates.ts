/** The stream of updates: transactions and changes of topology, from one offset to another. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { TransactionFilter, UpdateFormat } from "./event-format.ts";
import { listQuery } from "./list-query.ts";
import { OffsetCheckpoint } from "./offset-checkpoint.ts";
import { ParticipantPermission } from "./participant-permission.ts";
import { boolean, bytes, TraceContext } from "./proto.ts";
import { Reassignment } from "./reassignments.ts";
import { Transaction } from "./transaction.ts";

export const GetUpdatesRequest = z
  .object({
    beginExclusive: int64.default(0),
    /** Absent: up to what there is, and in a websocket for ever on. */
    endInclusive: orNull(int64),
    filter: orNull(TransactionFilter),
    verbose: boolean,
    updateFormat: orNull(UpdateFormat),
    descendingOrder: boolean,
  })
  .meta({ id: "GetUpdatesRequest", required: ["beginExclusive"] });

const hosting = { partyId: z.string(), participantId: z.string() };
const authorization = value(z.object({ ...hosting, participantPermission: ParticipantPermission }));

const TopologyEvent = oneOf({
  ParticipantAuthorizationAdded: authorization,
  ParticipantAuthorizationChanged: authorization,
  ParticipantAuthorizationRevoked: value(z.object(hosting)),
  ParticipantAuthorizationOnboarding: authorization,
  Empty: nothing,
});

export const TopologyTransaction = z
  .object({
    updateId: z.string(),
    offset: int64,
    synchronizerId: z.string(),
    recordTime: dateTime,
    events: z.array(z.object({ event: TopologyEvent })),
    traceContext: orNull(TraceContext),
  })
  .meta({ id: "JsTopologyTransaction" });
export type TopologyTransaction = z.output<typeof TopologyTransaction>;

const content = {
  Transaction: value(Transaction),
  TopologyTransaction: value(TopologyTransaction),
  OffsetCheckpoint: value(OffsetCheckpoint),
  Reassignment: value(Reassignment),
};

export const Update = z.object({ update: oneOf(content) }).meta({ id: "JsGetUpdatesResponse" });
export type Update = z.output<typeof Update>;

/** The same, where it was looked up. */
export const FoundUpdate = z.object({ update: oneOf(content) }).meta({ id: "JsGetUpdateResponse" });

/** The default and the largest number of updates in a page. */
export const DEFAULT_UPDATES_PAGE_SIZE = 100;
export const MAX_UPDATES_PAGE_SIZE = 2000;

const GetUpdatesPageRequest = z
  .object({
    /** Absent: from where history begins. */
    beginOffsetExclusive: orNull(int64),
    /** Absent: up to where the ledger ends, and with the token of the last page on from there. */
    endOffsetInclusive: orNull(int64),
    maxPageSize: orNull(int32),
    updateFormat: orNull(UpdateFormat),
    descendingOrder: boolean,
    /** Of the page before, whose request was the same. */
    pageToken: orNull(bytes),
  })
  .meta({ id: "GetUpdatesPageRequest", required: ["updateFormat"] });

const GetUpdatesPageResponse = z
  .object({
    updates: z.array(FoundUpdate).default([]),
    /** The page has everything between these two offsets. */
    lowestPageOffsetExclusive: int64,
    highestPageOffsetInclusive: int64,
    /** Null on the last page. */
    nextPageToken: orNull(bytes),
  })
  .meta({ id: "JsGetUpdatesPageResponse" });

export const ledgerUpdates = defineEndpoints({ tags: ["updates"], auth: "ledger:read-as" })({
  listUpdates: {
    method: "POST",
    path: "/v2/updates",
    summary: "Updates after an offset, as the caller's parties see them",
    query: listQuery,
    body: GetUpdatesRequest,
    success: json(z.array(Update)),
    errors: [400, 401, 403, 404, 413],
    streamItem: Update,
  },
  listFlatUpdates: {
    method: "POST",
    path: "/v2/updates/flats",
    summary: "Updates after an offset, as changes of the active contracts",
    description: "Use /v2/updates.",
    deprecated: true,
    query: listQuery,
    body: GetUpdatesRequest,
    success: json(z.array(Update)),
    errors: [400, 401, 403, 404, 413],
    streamItem: Update,
  },
  getUpdatesPage: {
    method: "POST",
    path: "/v2/updates/get-updates-page",
    summary: "A page of updates between two offsets",
    body: GetUpdatesPageRequest,
    success: json(GetUpdatesPageResponse),
    errors: [400, 401, 403, 404],
  },
});
