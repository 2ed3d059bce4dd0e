/**
 * Numbers of names by day, in record time and UTC. The day of an entry's expiry counts its end in advance, and a renewal
 * moves that to a later day: so the names that are live at the end of a day are a sum over the days, without a walk
 * over the names.
 */
import { DAY, type Decimal, type Time } from "@callsign/ledger";
import { CheckedRows, type CheckedTable, type SummedDatabase } from "@callsign/synchronizer";
import type { NameChange } from "../names/name-changes.ts";

export const NAME_DAY_TABLE = `
  create table name_day (
    day integer primary key,
    registered integer not null default 0,
    renewed integer not null default 0,
    taken_up integer not null default 0,
    refunded integer not null default 0,
    carried integer not null default 0,
    ended integer not null default 0,
    burned text not null default '0'
  ) strict;
`;

export interface NameDay {
  readonly day: bigint;
  readonly registered: bigint;
  readonly renewed: bigint;
  readonly takenUp: bigint;
  readonly refunded: bigint;
  /** Entries whose time is over on that day. */
  readonly ended: bigint;
  readonly burned: Decimal;
  /** Names that are live at the end of the day. */
  readonly live: bigint;
}

type Column = "registered" | "renewed" | "taken_up" | "refunded" | "carried" | "ended";

export const NAME_DAYS = {
  table: "name_day",
  columns: ["day", "registered", "renewed", "taken_up", "refunded", "carried", "ended", "burned"],
} as const satisfies CheckedTable;

export function openNameDayRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, NAME_DAYS, sums);
  const expiries = database.prepare(
    `select expires_at / ${DAY} as day, count(*) as ended from name_entry group by 1`,
  );
  const between = rows.query("where day between ? and ? order by day");
  const liveBefore = database.prepare(`
    select (select coalesce(sum(live), 0) from name_history)
      + (select coalesce(sum(registered + carried - ended), 0) from name_day where day < ?) as live
  `);

  function count(column: Column, day: bigint, { by = 1n, burned = 0n } = {}): void {
    const former = rows.find(day);
    const values = NAME_DAYS.columns.map((each) => {
      if (each === "day") return day;
      if (each === "burned") return `${BigInt((former?.[each] ?? "0") as string) + burned}`;
      return ((former?.[each] ?? 0n) as bigint) + (each === column ? by : 0n);
    });
    rows.replace(former, ...values);
  }

  function moveEnd(from: Time, to: Time): void {
    count("ended", dayNumberOf(from), { by: -1n });
    count("ended", dayNumberOf(to));
  }

  return {
    /** For entries that were live before days were counted. */
    addExpiriesOfEntries: () => {
      for (const { day, ended } of expiries.all()) count("ended", day as bigint, { by: ended as bigint });
    },
    add: ({ kind, expiresAt, formerExpiry, amulet }: NameChange, now: Time) => {
      const day = dayNumberOf(now);
      const burned = kind === "registered" || kind === "renewed" ? (amulet ?? 0n) : 0n;
      if (kind !== "expired") count(kind === "taken-up" ? "taken_up" : kind, day, { burned });
      if (expiresAt === null) return;
      // An entry can end before its time only by the will of its owner and the DSO.
      if (kind === "expired" && expiresAt >= now) moveEnd(expiresAt, now);
      if (kind === "registered" || kind === "carried") count("ended", dayNumberOf(expiresAt));
      if (formerExpiry !== null) moveEnd(formerExpiry, expiresAt);
    },
    /** Every day of the range, the first and the last too. */
    list: (first: bigint, final: bigint): readonly NameDay[] => {
      const days = new Map(between.all(first, final).map((row) => [row["day"] as bigint, row]));
      let live = liveBefore.get(first)?.["live"] as bigint;
      return Array.from({ length: Number(final - first) + 1 }, (_, place) => {
        const day = first + BigInt(place);
        const row = days.get(day);
        const read = (column: Column) => (row?.[column] ?? 0n) as bigint;
        live += read("registered") + read("carried") - read("ended");
        return {
          ...{ day, live, registered: read("registered"), renewed: read("renewed") },
          ...{ takenUp: read("taken_up"), refunded: read("refunded"), ended: read("ended") },
          burned: BigInt((row?.["burned"] ?? "0") as string) as Decimal,
        };
      });
    },
  };
}

/** Days since 1970. Record times and expiries lie behind it. */
export function dayNumberOf(time: Time): bigint {
  return time / DAY;
}
