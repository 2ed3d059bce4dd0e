/** A SQLite database that nobody writes to while it is read. */
import type { DatabaseSync } from "node:sqlite";
import { SqliteStore } from "../database/sqlite-store.ts";
import type { SqlValue } from "../database/store.ts";
import { ROWS_AT_A_TIME, type StoredTable, type StoreSnapshot } from "./store-snapshot.ts";

export function openSqliteSnapshot(database: DatabaseSync): StoreSnapshot {
  const store = new SqliteStore(database);
  return {
    sql: store,
    listTables: async () => listTables(database),
    read: (select, columns) => read(database, select, columns),
    close: store.close,
  };
}

function listTables(database: DatabaseSync): readonly StoredTable[] {
  const names = database.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  );
  const columnsOf = database.prepare("select name, pk from pragma_table_info(?) order by name");
  const referencesOf = database.prepare('select distinct "table" as name from pragma_foreign_key_list(?)');
  return names.all().map((row) => {
    const name = String(row["name"]);
    const columns = columnsOf
      .all(name)
      .map((each) => ({ name: String(each["name"]), place: Number(each["pk"]) }));
    const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
    return {
      name,
      columns: columns.map((each) => each.name),
      key: key.map((each) => each.name),
      references: referencesOf.all(name).map((each) => String(each["name"])),
    };
  });
}

async function* read(database: DatabaseSync, select: string, columns: readonly string[]) {
  let page: (readonly SqlValue[])[] = [];
  for (const row of database.prepare(select).iterate()) {
    page.push(columns.map((column) => row[column] as SqlValue));
    if (page.length < ROWS_AT_A_TIME) continue;
    yield page;
    page = [];
  }
  yield page;
}
