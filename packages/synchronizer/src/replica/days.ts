/** The first entries of days in record time (UTC). Snapshots are made there, and the log is pruned up to there. */
import type { DatabaseSync } from "node:sqlite";
import { DAY, type Time } from "@callsign/ledger";
import { CheckedRows } from "./checked-rows.ts";

export function dayOf(time: Time): bigint {
  return time >= 0n ? time / DAY : (time - DAY + 1n) / DAY;
}

export interface DayStart {
  readonly day: bigint;
  /** The day's first entry. */
  readonly sequence: number;
}

export class Days {
  readonly #rows: CheckedRows;
  readonly #forget: (day: bigint) => void;
  #added: DayStart[] = [];

  constructor(database: DatabaseSync) {
    this.#rows = new CheckedRows(database, "day");
    const forget = database.prepare("delete from day where day < ?");
    this.#forget = (day) => forget.run(day);
  }

  add(start: DayStart): void {
    this.#added.push(start);
  }

  /** Writes what was added, in the caller's transaction. */
  save(): void {
    for (const { day, sequence } of this.#added) this.#rows.save(day, sequence);
    this.#added = [];
  }

  reload(): void {
    this.#added = [];
  }

  /** The last day that is not behind that one, and whose first entry is not behind that one. */
  findLast(latest: DayStart): DayStart | null {
    const rows = this.#rows.list(
      "where day <= ? and sequence <= ? order by day desc limit 1",
      latest.day,
      latest.sequence,
    );
    for (const row of rows) return { day: row["day"] as bigint, sequence: Number(row["sequence"]) };
    return null;
  }

  forgetBefore(day: bigint): void {
    this.#forget(day);
  }
}
