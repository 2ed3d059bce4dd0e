/** Coin of owners at snapshots: times at which every scan knows the holdings of all. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";

/** Checked by the operation, as the owners are: it refuses both in the shape of its own errors. */
const givenTime = z.string().meta({ format: "date-time" });

const SnapshotTime = z.object({ record_time: dateTime }).meta({ id: "AcsSnapshotTimestamp" });

const HoldingsSummary = z
  .object({
    party_id: z.string(),
    total_unlocked_coin: fixedDecimal,
    total_locked_coin: fixedDecimal,
    total_coin_holdings: fixedDecimal,
    accumulated_holding_fees_unlocked: fixedDecimal,
    accumulated_holding_fees_locked: fixedDecimal,
    accumulated_holding_fees_total: fixedDecimal,
    /** Unlocked coin without its holding fees. */
    total_available_coin: fixedDecimal,
  })
  .meta({ id: "HoldingsSummary" });
export type HoldingsSummary = z.output<typeof HoldingsSummary>;

const HoldingsSummaryRequest = z
  .object({
    migration_id: int64,
    record_time: givenTime,
    record_time_match: orNull(z.enum(["exact", "at_or_before"])),
    /** 1 to 1,000 party ids. */
    owner_party_ids: z.array(z.string()),
    /** The earliest open round if absent. */
    as_of_round: orNull(int64),
  })
  .meta({ id: "HoldingsSummaryRequest" });

export const scanHoldings = defineEndpoints({
  tags: ["external", "scan"],
  auth: "none",
  errors: [400, 404, 429, 503],
})({
  getDateOfMostRecentSnapshotBefore: {
    method: "GET",
    path: "/v0/state/acs/snapshot-timestamp",
    summary: "The time of the last snapshot at or before a time",
    query: z.object({ before: givenTime, migration_id: int64Parameter }),
    success: json(SnapshotTime),
  },
  getDateOfFirstSnapshotAfter: {
    method: "GET",
    path: "/v0/state/acs/snapshot-timestamp-after",
    summary: "The time of the first snapshot after a time",
    query: z.object({ after: givenTime, migration_id: int64Parameter }),
    success: json(SnapshotTime),
  },
  forceAcsSnapshotNow: {
    method: "POST",
    path: "/v0/state/acs/force",
    summary: "A snapshot at once: 400, since their times are fixed",
    success: json(
      z.object({ record_time: dateTime, migration_id: int64 }).meta({ id: "ForceAcsSnapshotResponse" }),
    ),
    errors: [400, 429, 503],
  },
  getHoldingsSummaryAt: {
    method: "POST",
    path: "/v0/holdings/summary",
    summary: "The coin of owners at a snapshot; owners without coin are left out",
    body: HoldingsSummaryRequest,
    success: json(
      z
        .object({
          record_time: dateTime,
          migration_id: int64,
          computed_as_of_round: int64,
          summaries: z.array(HoldingsSummary),
        })
        .meta({ id: "HoldingsSummaryResponse" }),
    ),
  },
});
