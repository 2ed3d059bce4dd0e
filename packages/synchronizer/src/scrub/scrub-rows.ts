/** Rows of the replica's state against the checks that were written with them. */
import type { DatabaseSync } from "node:sqlite";
import { SCRUBBED_AT_ONCE } from "../limits/limits.ts";
import { findDamage } from "../replica/checked-rows.ts";
import { CHECKED_TABLES, type CheckedTable } from "../replica/row-check.ts";
import { differs, placeBehind, type ScrubPart } from "./scrub-part.ts";

export function scrubRows(database: DatabaseSync): readonly ScrubPart[] {
  return CHECKED_TABLES.map((table) => scrubTable(database, table));
}

function scrubTable(database: DatabaseSync, checked: CheckedTable): ScrubPart {
  const { table, columns } = checked;
  const [key] = columns;
  const list = columns.join(", ");
  const from = `select row_check, ${list} from ${table}`;
  const first = database.prepare(`${from} order by ${key} limit +?`);
  const next = database.prepare(`${from} where ${key} > ? order by ${key} limit +?`);
  return {
    name: `rows of ${table}`,
    store: "replica",
    check: (after) => {
      const place = after === "" ? null : (JSON.parse(after) as string | number);
      const rows = place === null ? first.all(SCRUBBED_AT_ONCE) : next.all(place as string, SCRUBBED_AT_ONCE);
      for (const row of rows) {
        const damage = findDamage(checked, row);
        if (damage !== null) throw differs(damage);
      }
      const behind = placeBehind(rows, SCRUBBED_AT_ONCE, (row) => {
        const value = row[key];
        return JSON.stringify(typeof value === "bigint" ? Number(value) : value);
      });
      return { after: behind, rows: rows.length };
    },
  };
}
