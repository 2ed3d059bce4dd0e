/** A role's PostgreSQL schema, archived and restored: each in one transaction. */
import { migrateIn } from "../database/migrations.ts";
import type { PostgresConfig } from "../database/postgres-config.ts";
import type { PostgresConnection } from "../database/postgres-connection.ts";
import { asStoreFailure, describeDatabase } from "../database/postgres-failures.ts";
import { MIGRATION_MILLISECONDS } from "../database/postgres-limits.ts";
import { takeWriterLock } from "../database/postgres-lock.ts";
import { PostgresServer } from "../database/postgres-server.ts";
import { findMovedPlace, setUpPostgres } from "../database/postgres-setup.ts";
import { MAX_NAME_BYTES, quoteName } from "../database/postgres-sql.ts";
import { sqlOn } from "../database/postgres-statements.ts";
import type { StoreDefinition } from "../database/store-definition.ts";
import { movedComment } from "../database/store-marks.ts";
import type { Host } from "../host/host.ts";
import { silentLog } from "../observability/log.ts";
import { type Archived, ArchiveRefused } from "./archive-format.ts";
import { isArchived, verifyRows } from "./compare-archive.ts";
import { fillStore } from "./fill-store.ts";
import { snapshotOf } from "./postgres-snapshot.ts";
import { readArchive } from "./read-archive.ts";
import type { StoreSnapshot } from "./store-snapshot.ts";

interface SchemaParts {
  readonly definition: StoreDefinition;
  readonly host: Host;
}

/**
 * Opens the schema as it is now, also while a process writes to it; `isStopped` refuses a schema that a process uses. The
 * transaction of the snapshot ends when it is closed.
 */
export async function openSchemaSnapshot(
  config: PostgresConfig,
  { host, isStopped = false }: { readonly host: Host; readonly isStopped?: boolean },
): Promise<StoreSnapshot> {
  const session = sessionOf(host);
  const server = new PostgresServer(config, host, session);
  const connection = await server.connect(async (made) => made.limitStatements(MIGRATION_MILLISECONDS));
  try {
    if (isStopped) await takeWriterLock(connection, { config, session, timers: host.timers });
    await connection.script("begin isolation level repeatable read read only");
    return snapshotOf(connection, config);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export interface SchemaRestore {
  readonly archivePath: string;
  readonly archived: Archived;
  /** The text of the identity's file, for a store that keeps the identity. */
  readonly identity: string | undefined;
  /** Renames a schema that is not empty; else it is refused. */
  readonly replace: boolean;
  /** Reads the rows back and compares them, before later migrations run. */
  readonly verify: boolean;
}

export type SchemaOutcome =
  | { readonly kind: "restored"; readonly replaced: string | null }
  /** The schema has these rows and no others. */
  | { readonly kind: "same" };

/** Makes the database if it is missing. */
export async function restoreSchema(
  config: PostgresConfig,
  restore: SchemaRestore,
  { definition, host }: SchemaParts,
): Promise<SchemaOutcome> {
  const session = sessionOf(host);
  const store = definition.migrations.store;
  await setUpPostgres(config, { host, log: silentLog, session, store, acceptMoved: true });
  const connection = await new PostgresServer(config, host, session).connect(async (made) =>
    made.limitStatements(MIGRATION_MILLISECONDS),
  );
  try {
    await takeWriterLock(connection, { config, session, timers: host.timers });
    await connection.script("begin");
    const outcome = await restoreIn(connection, config, restore, { definition, host });
    await connection.script("commit");
    return outcome;
  } catch (error) {
    throw asStoreFailure(error, config, connection.isLost);
  } finally {
    // A transaction that is not committed ends with its session.
    await connection.close();
  }
}

async function restoreIn(
  connection: PostgresConnection,
  config: PostgresConfig,
  { archivePath, archived, identity, replace, verify }: SchemaRestore,
  { definition, host }: SchemaParts,
): Promise<SchemaOutcome> {
  const snapshot = snapshotOf(connection, config);
  const sql = sqlOn(connection, config);
  let replaced: string | null = null;
  if ((await snapshot.listTables()).length > 0) {
    const isMoved = (await findMovedPlace(connection, config)) !== null;
    if (!isMoved && (await isSame(snapshot, archived, { definition, identity }))) return { kind: "same" };
    if (!replace)
      throw new ArchiveRefused(
        `${describeDatabase(config)}: schema "${config.schema}" is not empty. Give an empty one, or --replace, which ` +
          "renames it and keeps it",
      );
    replaced = await renameSchema(connection, config, host);
  }
  const { storeVersion } = archived.header;
  const archive = readArchive(archivePath, host.files);
  await fillStore(sql, archive, { definition, storeVersion, listTables: snapshot.listTables });
  if (verify) await verifyRows(snapshot, archived, definition);
  await migrateIn(sql, definition.migrations);
  if (identity !== undefined) await definition.identity?.set(sql, identity);
  return { kind: "restored", replaced };
}

async function isSame(
  snapshot: StoreSnapshot,
  archived: Archived,
  { definition, identity }: { readonly definition: StoreDefinition; readonly identity: string | undefined },
): Promise<boolean> {
  if (!(await isArchived(snapshot, archived, definition))) return false;
  const found = await definition.identity?.find(snapshot.sql);
  return identity === undefined || JSON.stringify(JSON.parse(identity)) === found;
}

async function renameSchema(
  connection: PostgresConnection,
  { schema }: PostgresConfig,
  { clock }: Host,
): Promise<string> {
  const ending = `_replaced_${clock.wallMilliseconds()}`;
  const name =
    Buffer.from(schema)
      .subarray(0, MAX_NAME_BYTES - ending.length)
      .toString() + ending;
  await connection.script(
    `alter schema ${quoteName(schema)} rename to ${quoteName(name)}; create schema ${quoteName(schema)}`,
  );
  return name;
}

/** Refuses every later start on the schema, and changes nothing in it. */
export async function markSchemaMoved(config: PostgresConfig, place: string, host: Host): Promise<void> {
  const server = new PostgresServer(config, host, sessionOf(host));
  const connection = await server.connect(async () => undefined);
  try {
    const comment = movedComment(place).replaceAll("'", "''");
    await connection.script(`comment on schema ${quoteName(config.schema)} is '${comment}'`);
  } finally {
    await connection.close();
  }
}

function sessionOf({ randomness }: Host): string {
  return `callsign archive ${randomness.uuid()}`;
}
