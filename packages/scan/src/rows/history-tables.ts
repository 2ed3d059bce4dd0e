/**
 * The index's rows of the past, which follow from the log alone. They are never pruned with the log. Each row carries a check:
 * a scrub has nothing to derive it from.
 */
import type { CheckedTable, HistoryTable } from "@callsign/synchronizer";
import { ACS_BEGINNING, ACS_CONTRACTS, TEXT_ACS_CONTRACTS } from "./acs-rows.ts";
import { ACTIVITY_BEGINNING, ACTIVITY_UPDATES } from "./activity-rows.ts";
import { CHANGED_KEYS } from "./changed-keys.ts";
import { CURRENT_CONTRACTS } from "./current-contracts.ts";
import { HOLDING_SNAPSHOTS, HOLDING_SUPPLY, HOLDINGS } from "./holding-rows.ts";
import { NAME_CHANGES, NAME_HISTORY } from "./name-change-rows.ts";
import { NAME_DAYS } from "./name-day-rows.ts";
import { PARTY_ROUNDS } from "./party-round-rows.ts";
import { REWARDS } from "./reward-rows.ts";
import { OPENED_ROUNDS } from "./round-rows.ts";
import { SEEN_ROUNDS } from "./seen-round-rows.ts";
import { TRANSFER_COMMANDS } from "./transfer-command-rows.ts";
import { DICTIONARIES } from "./update-dictionaries.ts";
import { UPDATE_BEGINNING, UPDATE_BLOCKS, UPDATES } from "./update-rows.ts";
import { VOTE_RESULTS } from "./vote-result-rows.ts";

const FORMER_HISTORY_TABLES: readonly HistoryTable[] = [
  { ...OPENED_ROUNDS, order: ["number"], isChecked: true },
  { ...REWARDS, order: ["round", "kind"], isChecked: true },
  { ...TRANSFER_COMMANDS, order: ["contract_id"], where: "ended_at is not null", isChecked: true },
  { ...HOLDINGS, order: ["contract_id"], isChecked: true },
  { ...HOLDING_SNAPSHOTS, order: ["record_time"], isChecked: true },
  { ...HOLDING_SUPPLY, order: ["one"], isChecked: true },
  { ...VOTE_RESULTS, order: ["place"], isChecked: true },
  { ...NAME_CHANGES, order: ["place"], isChecked: true },
  { ...NAME_HISTORY, order: ["one"], isChecked: true },
  { ...NAME_DAYS, order: ["day"], isChecked: true },
];

/** Sums of parties by round. */
export const ROUND_TOTAL_TABLES: readonly HistoryTable[] = [
  { ...SEEN_ROUNDS, order: ["number"], isChecked: true },
  { ...PARTY_ROUNDS, order: ["party", "round"], isChecked: true },
];

/** The rows that snapshots of SVs have. */
export const HISTORY_TABLES: readonly HistoryTable[] = [...FORMER_HISTORY_TABLES, ...ROUND_TOTAL_TABLES];

/** The first tables whose rows had checks: of the past, contracts with their order of creation, keys that changed last. */
export const FORMER_CHECKED_TABLES: readonly CheckedTable[] = [
  ...FORMER_HISTORY_TABLES,
  ...[UPDATES, UPDATE_BEGINNING, DICTIONARIES, TEXT_ACS_CONTRACTS, ACS_BEGINNING],
  ...[CURRENT_CONTRACTS, CHANGED_KEYS],
];

export const ACTIVITY_CHECKED_TABLES: readonly CheckedTable[] = [ACTIVITY_UPDATES, ACTIVITY_BEGINNING];

export const BLOCK_CHECKED_TABLES: readonly CheckedTable[] = [UPDATE_BLOCKS];

export const SCAN_CHECKED_TABLES: readonly CheckedTable[] = [
  ...FORMER_CHECKED_TABLES.map((table) => (table === TEXT_ACS_CONTRACTS ? ACS_CONTRACTS : table)),
  ...ROUND_TOTAL_TABLES,
  ...ACTIVITY_CHECKED_TABLES,
  ...BLOCK_CHECKED_TABLES,
];
