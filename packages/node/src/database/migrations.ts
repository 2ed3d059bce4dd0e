/**
 * Numbered migrations: the one way in which a store of an earlier version gets the tables and rows it lacks. A store's
 * version is the number of migrations it has run; it stands in the table `store_version` of its database, by the
 * store's name, because several stores may share a database. The migrations that a store lacks run in one transaction
 * together with the new version, so that a crash leaves the store as it was or whole. That commit need not be on disk
 * when it returns: the first synced one after it takes it along.
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
  inTransaction(
    database,
    () => {
      database.exec(VERSIONS);
      const recorded = database.prepare(numbered(FIND)).get(store)?.["version"];
      for (const migration of lacking(plan, recorded ?? unrecordedVersion(database))) {
        if (typeof migration === "string") database.exec(migration);
        else migration(database);
      }
      if (!isNewest(plan, recorded)) database.prepare(numbered(SAVE)).run(store, plan.migrations.length);
    },
    { repeatable: true },
  );
}

export async function migrateStore(store: Store, plan: StoreMigrations<Sql>): Promise<void> {
  await store.transaction((sql) => migrateIn(sql, plan), { repeatable: true });
}

/** The same as a part of the caller's transaction. */
export async function migrateIn(sql: Sql, plan: StoreMigrations<Sql>): Promise<void> {
  const { unrecordedVersion = async () => 0 } = plan;
  await sql.run(VERSIONS);
  const recorded = (await sql.get(FIND, plan.store))?.["version"];
  for (const migration of lacking(plan, recorded ?? (await unrecordedVersion(sql)))) {
    if (typeof migration === "string") for (const each of statementsOf(migration)) await sql.run(each);
    else await migration(sql);
  }
  if (!isNewest(plan, recorded)) await sql.run(SAVE, plan.store, plan.migrations.length);
}

/** For a connection that may not write: throws unless the store has all migrations. */
export function checkMigrated(database: DatabaseSync, plan: StoreMigrations<DatabaseSync>): void {
  const recorded = database.prepare(numbered(FIND)).get(plan.store)?.["version"] ?? 0;
  const count = lacking(plan, recorded).length;
  if (count > 0) throw new Error(`the store "${plan.store}" lacks ${count} migrations: its writer runs them`);
}

/** For a connection that may not write. True if the store has all migrations; throws `StoreIsNewer`. */
export async function isMigrated(sql: Sql, plan: StoreMigrations<Sql>): Promise<boolean> {
  const recorded = (await sql.get(FIND, plan.store))?.["version"] ?? 0;
  return lacking(plan, recorded).length === 0;
}

function isNewest({ migrations }: { readonly migrations: readonly unknown[] }, recorded: unknown): boolean {
  return recorded !== undefined && Number(recorded) === migrations.length;
}

/** The migrations that the store has not run. */
function lacking<Connection>(
  { store, migrations }: StoreMigrations<Connection>,
  recorded: unknown,
): readonly Migration<Connection>[] {
  const known = Number(recorded);
  if (known > migrations.length) {
    throw new StoreIsNewer(
      `the store "${store}" has version ${known}, and this program knows versions up to ${migrations.length}: ` +
        "a later release wrote it. Start that release, or give another data folder",
    );
  }
  return migrations.slice(known);
}

function numbered(statement: string): string {
  return statement.replace(/\$(\d+)/g, "?$1");
}

function statementsOf(script: string): readonly string[] {
  return script.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== "");
}
