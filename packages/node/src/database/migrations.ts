/**
 * Numbered migrations: the one way in which a store of an earlier version gets the tables and rows it lacks. A store's
 * version is the number of migrations it has run; it stands in the table `store_version` of its database, by the
 * store's name, because several stores may share a database. Each migration runs in a transaction of its own together
 * with the new version, so that a crash leaves the store at one version or the next.
 *
 * A list of migrations only grows: the first makes the tables, and a released one is never changed. A store written
 * before versions were recorded says by `unrecordedVersion` which of them it has. Statements keep to the SQL that SQLite
 * and PostgreSQL share where the store is a `Store`.
 *
 *     export const walletMigrations: StoreMigrations<Sql> = {
 *       store: "wallet",
 *       migrations: ["create table contract (…);\n create index …;", async (sql) => { … }],
 *     };
 *     const store = await openSqliteStore(database, walletMigrations);   // or migrateStore(store, walletMigrations)
 *     migrateDatabase(database, scanMigrations);                         // for node:sqlite itself
 */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./open-database.ts";
import type { Sql, Store } from "./store.ts";

/** Statements, each ending with a semicolon at the end of a line, or a function that runs them. */
export type Migration<Connection> =
  | string
  | ((connection: Connection) => Connection extends Sql ? Promise<void> : void);

export interface StoreMigrations<Connection> {
  readonly store: string;
  readonly migrations: readonly Migration<Connection>[];
  /** The version of a store that has none recorded; 0, as for an empty one, if omitted. */
  readonly unrecordedVersion?: (connection: Connection) => Connection extends Sql ? Promise<number> : number;
}

/** A later program wrote the store. */
export class StoreIsNewer extends Error {
  override readonly name = "StoreIsNewer";
}

const VERSIONS = "create table if not exists store_version (store text primary key, version bigint not null)";
const FIND = "select version from store_version where store = $1";
const SAVE =
  "insert into store_version (store, version) values ($1, $2) on conflict (store) do update set version = $2";

export function migrateDatabase(database: DatabaseSync, plan: StoreMigrations<DatabaseSync>): void {
  const { store, unrecordedVersion = () => 0 } = plan;
  database.exec(VERSIONS);
  const recorded = database.prepare(numbered(FIND)).get(store)?.["version"];
  const save = database.prepare(numbered(SAVE));
  for (const { migration, version } of lacking(plan, recorded ?? unrecordedVersion(database))) {
    inTransaction(database, () => {
      if (typeof migration === "string") database.exec(migration);
      else migration(database);
      save.run(store, version);
    });
  }
  if (recorded === undefined) save.run(store, plan.migrations.length);
}

export async function migrateStore(store: Store, plan: StoreMigrations<Sql>): Promise<void> {
  const { unrecordedVersion = async () => 0 } = plan;
  await store.run(VERSIONS);
  const recorded = (await store.get(FIND, plan.store))?.["version"];
  for (const { migration, version } of lacking(plan, recorded ?? (await unrecordedVersion(store)))) {
    await store.transaction(async (sql) => {
      if (typeof migration === "string") for (const each of statementsOf(migration)) await sql.run(each);
      else await migration(sql);
      await sql.run(SAVE, plan.store, version);
    });
  }
  if (recorded === undefined) await store.run(SAVE, plan.store, plan.migrations.length);
}

/** The migrations that the store has not run, each with the version it leads to. */
function lacking<Connection>({ store, migrations }: StoreMigrations<Connection>, recorded: unknown) {
  const known = Number(recorded);
  if (known > migrations.length) {
    throw new StoreIsNewer(
      `the store "${store}" has version ${known}, and this program knows versions up to ${migrations.length}: ` +
        "a later release wrote it. Start that release, or give another data folder",
    );
  }
  return migrations.slice(known).map((migration, i) => ({ migration, version: known + i + 1 }));
}

function numbered(statement: string): string {
  return statement.replace(/\$(\d+)/g, "?$1");
}

function statementsOf(script: string): readonly string[] {
  return script.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== "");
}
