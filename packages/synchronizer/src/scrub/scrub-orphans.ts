/** Rows of the consumers whose contracts are not active. */
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import type { DerivedTable, ReplicaConsumer } from "../replica/consumer.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

export function scrubOrphans(
  state: SqliteState,
  consumers: readonly ReplicaConsumer[],
): readonly ScrubPart[] {
  return consumers
    .flatMap(({ derived = [] }) => derived)
    .flatMap((table) => (table.walk === undefined ? [] : [scrubTable(state, table, table.walk)]));
}

function scrubTable(
  state: SqliteState,
  { table, contractId = "contract_id" }: DerivedTable,
  { by, only = "true" }: NonNullable<DerivedTable["walk"]>,
): ScrubPart {
  const select = (where: string) =>
    state.database.prepare(
      `select ${by} as place, ${contractId} as contract_id, ${contractId} in (select c.contract_id from contract c) as known ` +
        `from ${table} where ${where} and ${only} order by ${by} limit +?`,
    );
  const first = select("true");
  const next = select(`${by} > ?`);
  return {
    name: `contracts of ${table}`,
    store: "replica",
    check: (after) => {
      const place = after === "" ? null : parsePlace(after);
      state.flush();
      const rows = place === null ? first.all(SCRUBBED_AT_ONCE) : next.all(place, SCRUBBED_AT_ONCE);
      for (const row of rows) {
        if (row["known"] === 1n) continue;
        throw differs(`the table ${table} has a row of contract ${row["contract_id"]}, which is not active`);
      }
      const behind = placeBehind(rows, SCRUBBED_AT_ONCE, ({ place: last }) =>
        typeof last === "bigint" ? `${last}` : JSON.stringify(last),
      );
      return { after: behind, rows: rows.length };
    },
  };
}

/** Numbers may be larger than those of JSON. */
function parsePlace(text: string): string | bigint {
  return text.startsWith('"') ? (JSON.parse(text) as string) : BigInt(text);
}
