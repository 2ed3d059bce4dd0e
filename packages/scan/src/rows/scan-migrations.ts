/** The index's tables, and how an index from before recorded versions becomes one of today. */
import type { DatabaseSync } from "node:sqlite";
import { ValidatorLicense } from "@callsign/ledger";
import type { StoreMigrations } from "@callsign/node";
import { recordKinds } from "@callsign/synchronizer";
import { CONTRACT_TABLES } from "./current-contracts.ts";
import { NAME_INDEXES, NAME_TABLE } from "./name-rows.ts";
import { ROUND_TABLES } from "./opened-rounds.ts";
import { REWARD_TABLES } from "./reward-rows.ts";
import { SCAN_NAME, SCAN_TEMPLATES } from "./scan-templates.ts";

export const scanMigrations: StoreMigrations<DatabaseSync> = {
  store: SCAN_NAME,
  migrations: [
    CONTRACT_TABLES + ROUND_TABLES + REWARD_TABLES + NAME_TABLE + NAME_INDEXES,
    replaceFormerPosition,
  ],
};

/** Earlier indexes had a position and a version of their own; the first, without a version, kept no licences. */
function replaceFormerPosition(database: DatabaseSync): void {
  database.exec(`
    create table if not exists scan_position (sequence integer);
    create table if not exists scan_index (version integer);
  `);
  const sequence = database.prepare("select sequence from scan_position").get()?.["sequence"] ?? 0n;
  const version = database.prepare("select version from scan_index").get()?.["version"] ?? 1n;
  const had = SCAN_TEMPLATES.filter((template) => version !== 1n || template !== ValidatorLicense);
  if (sequence !== 0n)
    recordKinds(
      database,
      SCAN_NAME,
      had.map(({ id }) => id),
    );
  database.exec("drop table scan_position; drop table scan_index;");
}
