/** The bytes that a SQLite file stores. */
import type { DatabaseSync } from "node:sqlite";

export interface StoredTable {
  /** Of the rows, and of their entries in indexes. */
  readonly bytes: number;
  readonly rows: number;
}

/** Tables by name, each with its indexes. */
export function storedTables(database: DatabaseSync): ReadonlyMap<string, StoredTable> {
  const bytes = database.prepare(
    "select s.tbl_name as name, sum(d.payload) as bytes from dbstat d join sqlite_schema s on s.name = d.name group by 1",
  );
  return new Map(
    bytes.all().map((row) => {
      const name = String(row["name"]);
      const count = database.prepare(`select count(*) as rows from ${name}`).get();
      return [name, { bytes: Number(row["bytes"]), rows: Number(count?.["rows"]) }];
    }),
  );
}

/** The file as large as SQLite needs it, without the pages that wait for new rows. */
export function usedPageBytes(database: DatabaseSync): number {
  const read = (pragma: string) => Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}
