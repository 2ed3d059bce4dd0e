/**
 * The agenda's tables. An agenda from before numbered migrations had one `key` and one `other` column for all meanings:
 * its tables are dropped, and the replica backfills the new ones.
 */
import type { DatabaseSync } from "node:sqlite";
import type { StoreMigrations } from "@callsign/node";
import { addSummedChecks, type CheckedTable } from "@callsign/synchronizer";
import { COINS_SCHEMA } from "./agenda-coins.ts";
import { COUPON_TOTALS, COUPONS_SCHEMA } from "./agenda-coupons.ts";
import { ROUNDS_SCHEMA } from "./agenda-rounds.ts";
import { ROW_ID_BYTES, ROWS_SCHEMA } from "./agenda-table.ts";

const OLD_TABLES = [
  ...["sv_contract", "sv_coupon", "sv_coupon_total", "sv_coin", "sv_round"],
  ...["sv_position", "sv_agenda", "sv_request_wait"],
];

/** The tables whose rows have checks. */
export const AGENDA_CHECKED: readonly CheckedTable[] = [COUPON_TOTALS];

export const AGENDA_MIGRATIONS: StoreMigrations<DatabaseSync> = {
  store: "sv-agenda",
  migrations: [
    (database) => {
      for (const table of OLD_TABLES) database.exec(`drop table if exists ${table}`);
      database.exec(ROWS_SCHEMA + ROUNDS_SCHEMA + COUPONS_SCHEMA + COINS_SCHEMA);
      database.exec("create table sv_request_wait (microseconds integer not null) strict");
    },
    addSummedChecks(AGENDA_CHECKED),
    ROW_ID_BYTES,
  ],
};
