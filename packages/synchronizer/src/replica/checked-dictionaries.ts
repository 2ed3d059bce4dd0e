/** Dictionaries in a table of the replica, whose rows have checks. */
import type { DatabaseSync } from "node:sqlite";
import { TextDictionaries } from "@callsign/node";
import { CheckedRows, type CheckSums } from "./checked-rows.ts";
import type { CheckedTable } from "./row-check.ts";

/** The table has the columns `id`, `ids` and `body`. */
export function openCheckedDictionaries(
  database: DatabaseSync,
  table: CheckedTable & { readonly columns: readonly ["id", "ids", "body"] },
  sums: CheckSums | null = null,
): TextDictionaries {
  const rows = new CheckedRows(database, table, sums);
  const last = database.prepare(`select max(id) as id from ${table.table}`);
  return new TextDictionaries({
    find: (id) => {
      const row = rows.find(id);
      return row === undefined ? undefined : { ids: row["ids"] as string, body: row["body"] as string };
    },
    findLast: () => (last.get()?.["id"] ?? 0n) as bigint,
    insert: (id, { ids, body }) => rows.insert(id, ids, body),
  });
}
