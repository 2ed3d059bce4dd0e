/** The stream of updates: transactions and changes of topology, from one offset to another. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { TransactionFilter, UpdateFormat } from "./event-format.ts";
import { listQuery } from "./list-query.ts";
import { OffsetCheckpoint } from "./offset-checkpoint.ts";
import { ParticipantPermission } from "./participant-permission.ts";
import { boolean, TraceContext } from "./proto.ts";
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

export const Update = z
  .object({
    update: oneOf({
      Transaction: value(Transaction),
      TopologyTransaction: value(TopologyTransaction),
      OffsetCheckpoint: value(OffsetCheckpoint),
      Reassignment: value(Reassignment),
    }),
  })
  .meta({ id: "JsGetUpdatesResponse" });
export type Update = z.output<typeof Update>;

export const ledgerUpdates = defineEndpoints({
  listUpdates: {
    method: "POST",
    path: "/v2/updates",
    tags: ["updates"],
    summary: "Updates after an offset, as the caller's parties see them",
    auth: "ledger:read-as",
    query: listQuery,
    body: GetUpdatesRequest,
    success: json(z.array(Update)),
    errors: [400, 401, 403, 413],
    streamItem: Update,
  },
});
