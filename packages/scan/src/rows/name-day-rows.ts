/**
 * Numbers of names by day, in record time and UTC. The day of an entry's expiry counts its end in advance, and a renewal
 * moves that to a later day: so the names that are live at the end of a day are a sum over the days, without a walk
 * over the names.
 */
import type { DatabaseSync } from "node:sqlite";
import { DAY, type Decimal, type Time } from "@callsign/ledger";
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

export function openNameDayRows(database: DatabaseSync) {
  const addTo = Object.fromEntries(
    (["registered", "renewed", "taken_up", "refunded", "carried", "ended"] as const).map((column) => [
      column,
      database.prepare(
        `insert into name_day (day, ${column}) values (?, ?) ` +
          `on conflict do update set ${column} = ${column} + excluded.${column}`,
      ),
    ]),
  ) as unknown as Readonly<Record<Column, ReturnType<DatabaseSync["prepare"]>>>;
  const findBurned = database.prepare("select burned from name_day where day = ?");
  const saveBurned = database.prepare("update name_day set burned = ? where day = ?");
  const addExpiries = database.prepare(
    `insert into name_day (day, ended) select expires_at / ${DAY}, count(*) from name_entry group by 1`,
  );
  const between = database.prepare("select * from name_day where day between ? and ? order by day");
  const liveBefore = database.prepare(`
    select (select coalesce(sum(live), 0) from name_history)
      + (select coalesce(sum(registered + carried - ended), 0) from name_day where day < ?) as live
  `);
  const count = (column: Column, day: bigint, by: 1n | -1n = 1n) => addTo[column].run(day, by);

  function moveEnd(from: Time, to: Time): void {
    count("ended", dayNumberOf(from), -1n);
    count("ended", dayNumberOf(to));
  }

  function addBurned(day: bigint, amulet: Decimal): void {
    const before = BigInt((findBurned.get(day)?.["burned"] ?? "0") as string);
    saveBurned.run(`${before + amulet}`, day);
  }

  return {
    /** For entries that were live before days were counted. */
    addExpiriesOfEntries: () => addExpiries.run(),
    add: ({ kind, expiresAt, formerExpiry, amulet }: NameChange, now: Time) => {
      const day = dayNumberOf(now);
      if (kind !== "expired") count(kind === "taken-up" ? "taken_up" : kind, day);
      if (kind === "registered" || kind === "renewed") addBurned(day, amulet ?? (0n as Decimal));
      if (expiresAt === null) return;
      // An entry can end before its time only by the will of its owner and the DSO.
      if (kind === "expired" && expiresAt >= now) moveEnd(expiresAt, now);
      if (kind === "registered" || kind === "carried") count("ended", dayNumberOf(expiresAt));
      if (formerExpiry !== null) moveEnd(formerExpiry, expiresAt);
    },
    /** Every day of the range, the first and the last too. */
    list: (first: bigint, final: bigint): readonly NameDay[] => {
      const rows = new Map(between.all(first, final).map((row) => [row["day"] as bigint, row]));
      let live = liveBefore.get(first)?.["live"] as bigint;
      return Array.from({ length: Number(final - first) + 1 }, (_, place) => {
        const day = first + BigInt(place);
        const row = rows.get(day);
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
