/** The index's rows of the past, which follow from the log alone. They are never pruned with the log. */
import type { HistoryTable } from "@callsign/synchronizer";

export const HISTORY_TABLES: readonly HistoryTable[] = [
  {
    table: "opened_round",
    columns: ["number", "opens_at", "amulet_price", "transfer_config"],
    order: ["number"],
  },
  { table: "minted_reward", columns: ["round", "kind", "amount"], order: ["round", "kind"] },
  {
    table: "transfer_command",
    columns: ["sender", "nonce", "created_at", "contract_id", "payload", "outcome", "reason", "ended_at"],
    order: ["contract_id"],
    where: "ended_at is not null",
  },
  {
    table: "holding",
    columns: ["contract_id", "owner", "locked", "amount", "round", "rate", "created", "ended"],
    order: ["contract_id"],
  },
  { table: "holding_snapshot", columns: ["record_time", "supply"], order: ["record_time"] },
  { table: "holding_supply", columns: ["one", "supply", "complete_from"], order: ["one"] },
  {
    table: "vote_result",
    columns: ["place", "action_name", "accepted", "requester", "effective_at", "result"],
    order: ["place"],
  },
  {
    table: "name_change",
    columns: ["place", "record_time", "kind", "name", "owner", "expires_at", "usd", "amulet"],
    order: ["place"],
  },
  { table: "name_history", columns: ["one", "complete_from", "live"], order: ["one"] },
  {
    table: "name_day",
    columns: ["day", "registered", "renewed", "taken_up", "refunded", "carried", "ended", "burned"],
    order: ["day"],
  },
];
