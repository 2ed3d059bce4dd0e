/** The DSO's contracts, and the coins of owners, at snapshots. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32, int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { HistoryCreatedEvent } from "./updates.ts";

/** Times, sizes and parties are checked by the operation, which refuses them in the shape of its own errors. */
const snapshot = {
  migration_id: int64,
  record_time: z.string().meta({ format: "date-time" }),
  record_time_match: orNull(z.enum(["exact", "at_or_before"])),
  /** The `next_page_token` of the page before. */
  after: orNull(int64),
  /** 1 to 1,000. */
  page_size: int32,
};

const AcsRequest = z
  .object({
    ...snapshot,
    /** Contracts that one of these has a stake in. */
    party_ids: orNull(z.array(z.string())),
    /** `<package name>:<module>:<entity>` */
    templates: orNull(z.array(z.string())),
  })
  .meta({ id: "AcsRequest" });

const HoldingsStateRequest = z
  .object({
    ...snapshot,
    /** 1 to 1,000 party ids. */
    owner_party_ids: z.array(z.string()),
  })
  .meta({ id: "HoldingsStateRequest" });

const SnapshotContract = HistoryCreatedEvent.omit({ event_type: true, event_id: true })
  .extend({
    /** Null for a contract from before this scan's history. */
    created_in_update_id: orNull(z.string()),
  })
  .meta({ id: "ActiveContract" });
export type SnapshotContract = z.output<typeof SnapshotContract>;

/** A page may have fewer contracts than it has room for, and go on behind its token. */
function pageOf<S extends z.ZodType>(item: S, id: string) {
  return json(
    z
      .object({
        record_time: dateTime,
        migration_id: int64,
        created_events: z.array(item),
        next_page_token: orNull(int64),
      })
      .meta({ id }),
  );
}

const errors = [400, 404, 429, 503] as const;

export const scanAcs = defineEndpoints({ auth: "none", method: "POST", errors })({
  getAcsSnapshotAtV1: {
    path: "/v1/state/acs",
    tags: ["external", "scan"],
    summary: "The DSO's contracts at a snapshot, in the order of their creation",
    body: AcsRequest,
    success: pageOf(SnapshotContract, "AcsResponseV1"),
  },
  getHoldingsStateAtV1: {
    path: "/v1/holdings/state",
    tags: ["external", "scan"],
    summary: "The coins of owners at a snapshot",
    body: HoldingsStateRequest,
    success: pageOf(SnapshotContract, "AcsResponseV1"),
  },
  getAcsSnapshotAt: {
    path: "/v0/state/acs",
    tags: ["deprecated"],
    deprecated: true,
    summary: "The DSO's contracts at a snapshot, as events",
    body: AcsRequest,
    success: pageOf(HistoryCreatedEvent, "AcsResponse"),
  },
  getHoldingsStateAt: {
    path: "/v0/holdings/state",
    tags: ["deprecated"],
    deprecated: true,
    summary: "The coins of owners at a snapshot, as events",
    body: HoldingsStateRequest,
    success: pageOf(HistoryCreatedEvent, "AcsResponse"),
  },
});
