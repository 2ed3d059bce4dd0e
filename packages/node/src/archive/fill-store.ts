/** Puts an archive's rows into a store that has no others, inside the caller's transaction. */
import { migrateIn } from "../database/migrations.ts";
import type { Sql, SqlValue } from "../database/store.ts";
import type { StoreDefinition } from "../database/store-definition.ts";
import { type ArchivedTable, ArchiveRefused } from "./archive-format.ts";
import type { ArchivePart } from "./read-archive.ts";
import { orderTables, quote, type StoredTable } from "./store-snapshot.ts";

/** Rows of one statement, unless their values would be too many. SQLite takes 32,766. */
const ROWS_OF_A_STATEMENT = 100;
const VALUES_OF_A_STATEMENT = 10_000;

export interface FillParts {
  readonly definition: StoreDefinition;
  readonly storeVersion: number;
  readonly listTables: () => Promise<readonly StoredTable[]>;
}

/** Makes the tables as the store's version had them, and fills them. */
export async function fillStore(
  sql: Sql,
  archive: AsyncIterable<ArchivePart>,
  { definition, storeVersion, listTables }: FillParts,
): Promise<void> {
  const { migrations } = definition;
  await migrateIn(sql, { ...migrations, migrations: migrations.migrations.slice(0, storeVersion) });
  const tables = orderTables(await listTables());
  // Migrations may have made rows; the archive has its own.
  for (const { name } of [...tables].reverse()) await sql.run(`delete from ${quote(name)}`);
  const known = new Map(tables.map((table) => [table.name, table]));
  let inserts: Inserts | null = null;
  for await (const part of archive) {
    if (part.kind === "row") await inserts?.add(part.row);
    if (part.kind === "table" || part.kind === "end") await inserts?.finish();
    if (part.kind === "table") {
      checkTable(part.table, known.get(part.table.table));
      inserts = new Inserts(sql, part.table);
    }
  }
}

function checkTable({ table, columns }: ArchivedTable, made: StoredTable | undefined): void {
  if (made !== undefined && made.columns.join() === columns.join()) return;
  throw new ArchiveRefused(
    `the archive's table ${table} has not the columns that its version has in this release`,
  );
}

class Inserts {
  readonly #sql: Sql;
  readonly #table: ArchivedTable;
  readonly #size: number;
  readonly #rows: (readonly SqlValue[])[] = [];

  constructor(sql: Sql, table: ArchivedTable) {
    this.#sql = sql;
    this.#table = table;
    this.#size = Math.min(ROWS_OF_A_STATEMENT, Math.floor(VALUES_OF_A_STATEMENT / table.columns.length));
  }

  async add(row: readonly SqlValue[]): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#size) await this.#insert(this.#rows.splice(0));
  }

  /** One by one, so that there are few different statements. */
  async finish(): Promise<void> {
    for (const row of this.#rows.splice(0)) await this.#insert([row]);
  }

  async #insert(rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const { table, columns } = this.#table;
    const places = rows.map(
      (_, row) => `(${columns.map((_column, i) => `$${row * columns.length + i + 1}`).join(", ")})`,
    );
    const into = `insert into ${quote(table)} (${columns.map(quote).join(", ")})`;
    await this.#sql.run(`${into} values ${places.join(", ")}`, ...rows.flat());
  }
}
