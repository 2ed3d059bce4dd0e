/** The history of updates: transactions as the DSO sees them, by record time and by id. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { booleanParameter } from "../wire/booleans.ts";
import { jsonObject, jsonValue } from "../wire/json.ts";
import { mapOf } from "../wire/map-of.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

export const HistoryCreatedEvent = z
  .object({
    event_type: z.enum(["created_event"]),
    /** `<update id>:<node>` */
    event_id: z.string(),
    contract_id: z.string(),
    /** `<package id>:<module>:<entity>` */
    template_id: z.string(),
    package_name: z.string(),
    create_arguments: jsonObject,
    created_at: dateTime,
    signatories: z.array(z.string()),
    observers: z.array(z.string()),
  })
  .meta({ id: "CreatedEvent" });
export type HistoryCreatedEvent = z.output<typeof HistoryCreatedEvent>;

const HistoryExercisedEvent = z
  .object({
    event_type: z.enum(["exercised_event"]),
    event_id: z.string(),
    contract_id: z.string(),
    template_id: z.string(),
    package_name: z.string(),
    choice: z.string(),
    choice_argument: jsonValue,
    /** In the order of the transaction. */
    child_event_ids: z.array(z.string()),
    exercise_result: jsonValue,
    consuming: z.boolean(),
    acting_parties: z.array(z.string()),
    interface_id: orNull(z.string()),
  })
  .meta({ id: "ExercisedEvent" });
export type HistoryEvent = HistoryCreatedEvent | z.output<typeof HistoryExercisedEvent>;

/** There are no reassignments: a network has one synchronizer. */
const UpdateV2 = z
  .object({
    update_id: z.string(),
    migration_id: int64,
    /** Always empty: the log has none. */
    workflow_id: z.string(),
    /** With six digits behind the point. */
    record_time: dateTime,
    synchronizer_id: z.string(),
    effective_at: dateTime,
    root_event_ids: z.array(z.string()),
    events_by_id: mapOf(z.union([HistoryCreatedEvent, HistoryExercisedEvent])),
  })
  .meta({ id: "UpdateHistoryTransactionV2" });
export type UpdateV2 = z.output<typeof UpdateV2>;

const UpdateV1 = UpdateV2.extend({ offset: z.string() }).meta({ id: "UpdateHistoryTransaction" });
export type UpdateV1 = z.output<typeof UpdateV1>;

const EventItem = z
  .object({
    update: orNull(UpdateV2),
    /** Null: every SV decides about every entry, and no mediator does. */
    verdict: orNull(jsonObject),
    traffic_summary: orNull(jsonObject),
    app_activity_records: orNull(jsonObject),
  })
  .meta({ id: "EventHistoryItem" });

/** Sizes and times are checked by the operation, which refuses them in the shape of its own errors. */
const page = {
  after: orNull(
    z
      .object({ after_migration_id: int64, after_record_time: z.string() })
      .meta({ id: "UpdateHistoryRequestAfter" }),
  ),
  /** 1 to 1,000. */
  page_size: int32,
};

const encoding = z.enum(["compact_json", "protobuf_json"]);

const HistoryRequest = z
  .object({ ...page, daml_value_encoding: orNull(encoding) })
  .meta({ id: "UpdateHistoryRequestV2" });

const FirstHistoryRequest = z
  .object({ ...page, lossless: orNull(z.boolean()) })
  .meta({ id: "UpdateHistoryRequest" });

const byId = {
  method: "GET",
  params: z.object({ update_id: z.string() }),
  query: z.object({ daml_value_encoding: orNull(encoding) }),
} as const;

const updatesV1 = json(z.object({ transactions: z.array(UpdateV1) }).meta({ id: "UpdateHistoryResponse" }));

export const scanUpdates = defineEndpoints({
  tags: ["external", "scan"],
  auth: "none",
  errors: [400, 404, 429, 501, 503],
})({
  getUpdateHistoryV2: {
    method: "POST",
    path: "/v2/updates",
    summary: "Updates in the order of their record times, after one if it is given",
    body: HistoryRequest,
    success: json(z.object({ transactions: z.array(UpdateV2) }).meta({ id: "UpdateHistoryResponseV2" })),
  },
  getUpdateByIdV2: {
    ...byId,
    path: "/v2/updates/{update_id}",
    summary: "One update",
    success: json(UpdateV2),
  },
  getUpdateByHash: {
    method: "GET",
    path: "/v2/updates/hash/{hash}",
    summary: "The update of a transaction that an external party signed: 404, since there are none",
    params: z.object({ hash: z.string() }),
    query: byId.query,
    success: json(UpdateV2),
  },
  getEventHistory: {
    method: "POST",
    path: "/v0/events",
    summary: "Updates, in the form that has room for mediators' verdicts",
    body: HistoryRequest,
    success: json(z.object({ events: z.array(EventItem) }).meta({ id: "EventHistoryResponse" })),
  },
  getEventById: { ...byId, path: "/v0/events/{update_id}", summary: "One event", success: json(EventItem) },
});

export const scanFormerUpdates = defineEndpoints({
  tags: ["deprecated"],
  deprecated: true,
  auth: "none",
  errors: [400, 404, 429, 501, 503],
})({
  getUpdateHistoryV1: {
    method: "POST",
    path: "/v1/updates",
    summary: "Updates with a constant offset",
    body: HistoryRequest,
    success: updatesV1,
  },
  getUpdateByIdV1: {
    ...byId,
    path: "/v1/updates/{update_id}",
    summary: "One update, with a constant offset",
    success: json(UpdateV1),
  },
  getUpdateHistory: {
    method: "POST",
    path: "/v0/updates",
    summary: "Updates with the nodes' own numbers, and an offset that rises",
    body: FirstHistoryRequest,
    success: updatesV1,
  },
  getUpdateById: {
    method: "GET",
    path: "/v0/updates/{update_id}",
    summary: "One update, with the nodes' own numbers",
    params: byId.params,
    query: z.object({ lossless: orNull(booleanParameter) }),
    success: json(UpdateV1),
  },
});
