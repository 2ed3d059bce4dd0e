/** The part of the history that a scan has, for those that copy it. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const MigrationInfo = z
  .object({
    /** Null: the updates of an earlier migration are at the scans of that time. */
    previous_migration_id: orNull(int64),
    record_time_range: z.array(
      z.object({ synchronizer_id: z.string(), min: dateTime, max: dateTime }).meta({ id: "RecordTimeRange" }),
    ),
    last_import_update_id: orNull(z.string()),
    /** True if the scan has followed the log from its first entry on. */
    complete: z.boolean(),
    import_updates_complete: orNull(z.boolean()),
  })
  .meta({ id: "GetMigrationInfoResponse" });

export const scanBackfilling = defineEndpoints({ tags: ["internal", "scan"], auth: "none" })({
  getMigrationInfo: {
    method: "POST",
    path: "/v0/backfilling/migration-info",
    summary: "The updates of a migration that this scan has",
    body: z.object({ migration_id: int64 }).meta({ id: "GetMigrationInfoRequest" }),
    success: json(MigrationInfo),
    errors: [400, 404, 429, 503],
  },
  getBackfillingStatus: {
    method: "GET",
    path: "/v0/backfilling/status",
    summary: "Whether this scan has all updates",
    success: json(z.object({ complete: z.boolean() }).meta({ id: "GetBackfillingStatusResponse" })),
    errors: [429, 503],
  },
});
