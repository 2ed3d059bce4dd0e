import type { scanApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, contractId, dso, packageId, synchronizer, updateId } from "./samples.ts";

const created = {
  event_type: "created_event",
  event_id: `${updateId}:1`,
  contract_id: contractId("4"),
  template_id: `${packageId}:Splice.Amulet:Amulet`,
  package_name: "splice-amulet",
  create_arguments: { dso, owner: alice, amount: { initialAmount: "10.0000000000" } },
  created_at: "2025-03-12T01:56:28.97Z",
  signatories: [alice, dso],
  observers: [],
} as const;

const update = {
  update_id: updateId,
  migration_id: 0,
  workflow_id: "",
  record_time: "2025-03-12T01:56:28.970000Z",
  synchronizer_id: synchronizer,
  effective_at: "2025-03-12T01:56:28.970Z",
  root_event_ids: [`${updateId}:0`],
  events_by_id: {
    [`${updateId}:0`]: {
      event_type: "exercised_event" as const,
      event_id: `${updateId}:0`,
      contract_id: contractId("2"),
      template_id: `${packageId}:Splice.AmuletRules:AmuletRules`,
      package_name: "splice-amulet",
      choice: "AmuletRules_DevNet_Tap",
      choice_argument: { receiver: alice, amount: "10.0000000000" },
      child_event_ids: [`${updateId}:1`],
      exercise_result: { amuletSum: { amulet: contractId("4") } },
      consuming: false,
      acting_parties: [alice],
      interface_id: null,
    },
    [`${updateId}:1`]: { ...created, signatories: [...created.signatories], observers: [] },
  },
};

const event = { update, verdict: null, traffic_summary: null, app_activity_records: null };
const former = { ...update, offset: "000000000000000001" };

const after = { after_migration_id: 0, after_record_time: "2025-03-12T01:56:28Z" };
const list = {
  request: { body: { after, page_size: 10 } },
  received: { body: { after, page_size: 10, daml_value_encoding: null } },
};
const byId = {
  request: { params: { update_id: updateId }, query: { daml_value_encoding: "compact_json" as const } },
};

const { event_type: _type, event_id: _id, ...rest } = created;
const active = {
  ...rest,
  signatories: [...rest.signatories],
  observers: [],
  created_in_update_id: updateId,
};
const snapshot = { migration_id: 0, record_time: "2025-03-12T01:50:00Z", page_size: 2 };
const state = {
  request: { body: { ...snapshot, owner_party_ids: [alice] } },
  received: { body: { ...snapshot, owner_party_ids: [alice], record_time_match: null, after: null } },
};
const acs = {
  request: { body: { ...snapshot, after: 3, templates: ["splice-amulet:Splice.Amulet:Amulet"] } },
  received: {
    body: {
      ...snapshot,
      ...{ after: 3, templates: ["splice-amulet:Splice.Amulet:Amulet"], party_ids: null },
      record_time_match: null,
    },
  },
};
const page = { record_time: "2025-03-12T01:50:00Z", migration_id: 0, next_page_token: 2 ** 40 };
const asEvents = {
  ...page,
  created_events: [{ ...created, signatories: [...created.signatories], observers: [] }],
};

type UpdateExamples = Pick<
  Examples<typeof scanApi>,
  | "getUpdateHistoryV2"
  | "getUpdateByIdV2"
  | "getUpdateByHash"
  | "getEventHistory"
  | "getEventById"
  | "getUpdateHistoryV1"
  | "getUpdateByIdV1"
  | "getUpdateHistory"
  | "getUpdateById"
  | "getAcsSnapshotAt"
  | "getAcsSnapshotAtV1"
  | "getHoldingsStateAt"
  | "getHoldingsStateAtV1"
  | "getMigrationInfo"
  | "getBackfillingStatus"
>;

export const scanUpdates: UpdateExamples = {
  getUpdateHistoryV2: { ...list, response: { transactions: [update] } },
  getUpdateByIdV2: { ...byId, response: update },
  getUpdateByHash: {
    request: { params: { hash: updateId } },
    received: { query: { daml_value_encoding: null } },
    response: update,
  },
  getEventHistory: { ...list, response: { events: [event] } },
  getEventById: { ...byId, response: event },
  getUpdateHistoryV1: { ...list, response: { transactions: [former] } },
  getUpdateByIdV1: { ...byId, response: former },
  getUpdateHistory: {
    request: { body: { page_size: 10 } },
    received: { body: { after: null, page_size: 10, lossless: null } },
    response: { transactions: [former] },
  },
  getUpdateById: {
    request: { params: { update_id: updateId }, query: { lossless: false } },
    response: former,
  },
  getAcsSnapshotAt: { ...acs, response: asEvents },
  getAcsSnapshotAtV1: { ...acs, response: { ...page, created_events: [active] } },
  getHoldingsStateAt: { ...state, response: asEvents },
  getHoldingsStateAtV1: { ...state, response: { ...page, created_events: [active], next_page_token: null } },
  getMigrationInfo: {
    request: { body: { migration_id: 0 } },
    response: {
      previous_migration_id: null,
      record_time_range: [
        { synchronizer_id: synchronizer, min: "2025-03-12T01:56:28Z", max: "2025-04-12T01:56:28Z" },
      ],
      last_import_update_id: null,
      complete: true,
      import_updates_complete: true,
    },
  },
  getBackfillingStatus: { response: { complete: true } },
};
