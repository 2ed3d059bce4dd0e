/** The lines of a store in an archive. */
import type { StoreDefinition } from "../database/store-definition.ts";
import { formatRow } from "./archive-format.ts";
import { orderTables, type StoredTable, type StoreSnapshot, selectTable } from "./store-snapshot.ts";

/** A line without a row begins its table. */
type Line = { readonly table: StoredTable; readonly row?: string };

/** The tables in their order, each followed by its rows. An identity that is a row of the store is left out. */
export async function* listLines(
  snapshot: StoreSnapshot,
  { identity }: StoreDefinition,
): AsyncGenerator<Line> {
  for (const table of orderTables(await snapshot.listTables())) {
    yield { table };
    const condition = identity?.table === table.name ? identity.others : undefined;
    for await (const page of snapshot.read(selectTable(table, condition), table.columns))
      for (const row of page) yield { table, row: `${formatRow(row)}\n` };
  }
}
