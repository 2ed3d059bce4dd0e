/** The past of names: the changes of each, and numbers by day. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { nameParams } from "../splice/entries.ts";
import { pageSizeParameter } from "../splice/page-size.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, digits, fixedDecimal } from "../wire/texts.ts";

/** Days in one answer. */
export const MAX_STATISTICS_DAYS = 400;

export const NameChange = z
  .object({
    /** Changes of all names are ordered by it. */
    offset: digits,
    record_time: dateTime,
    /**
     * `registered` and `renewed` are paid for; `taken-up`: a cancelled name goes on; `expired`: the entry was archived behind
     * its expiry; `refunded`: a payment came back; `carried`: the entry comes from the network's log before.
     */
    kind: z.enum(["registered", "renewed", "taken-up", "expired", "refunded", "carried"]),
    name: z.string(),
    /** The owner; of a refund, the party that had paid. */
    owner: z.string(),
    /** Null for a refund. */
    expires_at: orNull(dateTime),
    /** The price in dollars, where one was paid. */
    usd: orNull(fixedDecimal),
    /** The coin that was burned or, for a refund, given back. */
    amulet: orNull(fixedDecimal),
  })
  .meta({ id: "NameChange" });
export type NameChange = z.output<typeof NameChange>;

/** All changes from this record time on are kept: the beginning of the network, unless this scan is older than its history. */
const completeFrom = orNull(dateTime);

const NameHistory = z
  .object({
    /** The earliest first. */
    changes: z.array(NameChange),
    /** The `after` of the next page; null behind the last change. */
    next: orNull(digits),
    complete_from: completeFrom,
  })
  .meta({ id: "NameHistory" });

/** A day in UTC; whether there is such a day is checked by the operation. */
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, { error: "expected a day such as 2026-01-31", abort: true })
  .meta({ format: "date" });

const NameStatisticsDay = z
  .object({
    day,
    /** Names that are live at the end of the day; of the present day, if none is renewed in what is left of it. */
    live: int64,
    registered: int64,
    renewed: int64,
    taken_up: int64,
    /** Entries whose time is over on that day. */
    expired: int64,
    refunded: int64,
    /** Coin that was paid for registrations and renewals. */
    burned: fixedDecimal,
  })
  .meta({ id: "NameStatisticsDay" });
export type NameStatisticsDay = z.output<typeof NameStatisticsDay>;

export const extHistory = defineEndpoints({
  tags: ["external", "scan"],
  auth: "none",
  errors: [400, 429, 503],
})({
  getNameHistory: {
    method: "GET",
    path: "/ext/v1/names/{name}/history",
    summary: "The changes of a name since it first appeared: owners, prices, dates, refunds",
    description: "The name is the full one, spelled exactly. A name without changes has an empty history.",
    params: nameParams,
    query: z.object({
      page_size: pageSizeParameter,
      /** Changes behind this offset; absent: from the first on. */
      after: int64Parameter.default(0n),
    }),
    success: json(NameHistory),
  },
  getNameStatistics: {
    method: "GET",
    path: "/ext/v1/statistics/names",
    summary:
      "Names by day, in record time and UTC: live, registered, renewed, expired, and the coin burned for them",
    query: z.object({
      /** The first day; absent: 30 days end with the last one. */
      from: orNull(day),
      /** The last day, today at most; absent: today. */
      to: orNull(day),
    }),
    success: json(
      z
        .object({ days: z.array(NameStatisticsDay), complete_from: completeFrom })
        .meta({ id: "NameStatistics" }),
    ),
  },
});
