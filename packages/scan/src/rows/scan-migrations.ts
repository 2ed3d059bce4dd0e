/** The index's tables, and how an index from before recorded versions becomes one of today. */
import type { DatabaseSync } from "node:sqlite";
import {
  Amulet,
  AmuletRules,
  AnsEntry,
  AnsRules,
  DsoRules,
  IssuingMiningRound,
  LockedAmulet,
  OpenMiningRound,
  SummarizingMiningRound,
  SvNodeState,
  TransferCommand,
  ValidatorLicense,
} from "@callsign/ledger";
import type { StoreMigrations } from "@callsign/node";
import { addSummedChecks, recordKinds } from "@callsign/synchronizer";
import { CURRENT_TEMPLATES } from "../contracts/current-templates.ts";
import { PARTY_TEMPLATES } from "../contracts/party-templates.ts";
import { ACS_ID_BYTES, ACS_TABLES } from "./acs-rows.ts";
import { ACTIVITY_TABLES } from "./activity-rows.ts";
import { CHANGED_KEYS_TABLE } from "./changed-keys.ts";
import { CONTRACT_TABLES } from "./current-contracts.ts";
import {
  ACTIVITY_CHECKED_TABLES,
  BLOCK_CHECKED_TABLES,
  FORMER_CHECKED_TABLES,
  ROUND_TOTAL_TABLES,
} from "./history-tables.ts";
import { ENDED_COINS_INDEX, HOLDING_TABLES } from "./holding-rows.ts";
import { NAME_CHANGE_TABLES } from "./name-change-rows.ts";
import { NAME_DAY_TABLE } from "./name-day-rows.ts";
import { SKELETON_INDEX } from "./name-pages.ts";
import { NAME_INDEXES, NAME_TABLE, NAMES_AS_THEY_CAME } from "./name-rows.ts";
import { PARTY_TABLE } from "./party-contracts.ts";
import { PARTY_ROUND_TABLE } from "./party-round-rows.ts";
import { REWARD_TABLES } from "./reward-rows.ts";
import { ROUND_TABLES } from "./round-rows.ts";
import { SEEN_ROUND_TABLE } from "./seen-round-rows.ts";
import { COMMAND_TABLE } from "./transfer-command-rows.ts";
import { UPDATE_BLOCK_TABLE, UPDATE_TABLES } from "./update-rows.ts";
import { VOTE_RESULT_TABLE } from "./vote-result-rows.ts";

/** The name of the index among the replica's consumers, and the kinds of contracts that it keeps. */
export const SCAN_NAME = "scan";
export const SCAN_TEMPLATES = [
  ...CURRENT_TEMPLATES,
  AnsEntry,
  ...PARTY_TEMPLATES,
  TransferCommand,
  Amulet,
  LockedAmulet,
] as const;

/** The kinds of the indexes that had a position of their own. */
const FORMER_TEMPLATES = [
  AmuletRules,
  AnsRules,
  DsoRules,
  SvNodeState,
  OpenMiningRound,
  SummarizingMiningRound,
  IssuingMiningRound,
  ValidatorLicense,
  AnsEntry,
] as const;

export const scanMigrations: StoreMigrations<DatabaseSync> = {
  store: SCAN_NAME,
  migrations: [
    CONTRACT_TABLES + ROUND_TABLES + REWARD_TABLES + NAME_TABLE + NAME_INDEXES,
    replaceFormerPosition,
    PARTY_TABLE + COMMAND_TABLE + HOLDING_TABLES,
    VOTE_RESULT_TABLE,
    SKELETON_INDEX,
    NAME_CHANGE_TABLES + NAME_DAY_TABLE,
    UPDATE_TABLES,
    ACS_TABLES,
    CHANGED_KEYS_TABLE,
    addSummedChecks(FORMER_CHECKED_TABLES),
    SEEN_ROUND_TABLE + PARTY_ROUND_TABLE,
    addSummedChecks(ROUND_TOTAL_TABLES),
    ACTIVITY_TABLES,
    addSummedChecks(ACTIVITY_CHECKED_TABLES),
    ENDED_COINS_INDEX,
    NAMES_AS_THEY_CAME + NAME_INDEXES + SKELETON_INDEX,
    ACS_ID_BYTES,
    UPDATE_BLOCK_TABLE,
    addSummedChecks(BLOCK_CHECKED_TABLES),
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
  const had = FORMER_TEMPLATES.filter((template) => version !== 1n || template !== ValidatorLicense);
  const kinds = had.map(({ id }) => id);
  if (sequence !== 0n) recordKinds(database, SCAN_NAME, kinds);
  database.exec("drop table scan_position; drop table scan_index;");
}
