/** The index's rows that follow from active contracts. Rows of the past follow from the log alone, and have checks. */
import type { DerivedTable } from "@callsign/synchronizer";

export const DERIVED_TABLES: readonly DerivedTable[] = [
  {
    table: "current_contract",
    key: ["contract_id"],
    columns: ["template_id", "round", "payload", "created_at", "tick"],
    walk: { by: "contract_id" },
  },
  {
    table: "party_contract",
    key: ["contract_id"],
    columns: ["kind", "party", "rank"],
    walk: { by: "contract_id" },
  },
  {
    table: "transfer_command",
    key: ["contract_id"],
    columns: ["sender", "nonce", "created_at", "payload", "outcome", "reason", "ended_at"],
    walk: { by: "contract_id", only: "ended_at is null" },
  },
  {
    table: "holding",
    key: ["contract_id"],
    columns: ["owner", "locked", "amount", "round", "rate", "ended"],
    walk: { by: "contract_id", only: `ended = ${2n ** 63n - 1n}` },
  },
  { table: "opened_round", key: ["number"], columns: ["opens_at", "amulet_price", "transfer_config"] },
  {
    table: "name_entry",
    key: ["contract_key", "contract_id"],
    columns: ["name", "expires_at", "json"],
    walk: { by: "contract_key" },
  },
];
