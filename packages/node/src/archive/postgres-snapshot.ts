/** A PostgreSQL schema inside one transaction, which sees no commit that comes after its begin. */
import type { PostgresConfig } from "../database/postgres-config.ts";
import type { PostgresConnection } from "../database/postgres-connection.ts";
import { sqlOn } from "../database/postgres-statements.ts";
import { ROWS_AT_A_TIME, type StoredTable, type StoreSnapshot } from "./store-snapshot.ts";

/** The connection must be inside a transaction, which stays the caller's. */
export function snapshotOf(connection: PostgresConnection, config: PostgresConfig): StoreSnapshot {
  return {
    sql: sqlOn(connection, config),
    listTables: () => listTables(connection, config),
    read: (select, columns) => read(connection, select, columns),
    close: () => connection.close(),
  };
}

const TABLES = `
  select c.relname::text as name,
    coalesce((select json_agg(a.attname order by a.attname collate "C") from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]')::text as columns,
    coalesce((select json_agg(a.attname order by k.place) from pg_index i
      cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary), '[]')::text as key,
    coalesce((select json_agg(distinct f.relname) from pg_constraint x join pg_class f on f.oid = x.confrelid
      where x.conrelid = c.oid and x.contype = 'f'), '[]')::text as refs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind = 'r'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

async function listTables(
  connection: PostgresConnection,
  { schema }: PostgresConfig,
): Promise<readonly StoredTable[]> {
  const { rows } = await connection.query({ text: TABLES, parameters: [schema] });
  const namesIn = (text: unknown) => JSON.parse(String(text)) as readonly string[];
  return rows.map(({ name, columns, key, refs }) => ({
    name: String(name),
    columns: namesIn(columns),
    key: namesIn(key),
    references: namesIn(refs),
  }));
}

async function* read(connection: PostgresConnection, select: string, columns: readonly string[]) {
  await connection.script(`declare archived no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await connection.query({ text: `fetch ${ROWS_AT_A_TIME} from archived` });
    yield rows.map((row) => columns.map((column) => row[column] ?? null));
    if (rows.length < ROWS_AT_A_TIME) break;
  }
  await connection.script("close archived");
}
