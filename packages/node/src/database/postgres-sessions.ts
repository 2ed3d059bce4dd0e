/**
 * Sessions with a PostgreSQL server for a store that several processes share. It has no writer's lock: the store's own tables
 * must keep writers apart.
 */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { isMigrated, migrateIn, type StoreMigrations } from "./migrations.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { asStoreFailure, describeDatabase } from "./postgres-failures.ts";
import { MIGRATION_MILLISECONDS, OPEN_PATIENCE_MILLISECONDS } from "./postgres-limits.ts";
import { keyOf } from "./postgres-lock.ts";
import { openPatiently } from "./postgres-opening.ts";
import { PostgresReaders } from "./postgres-readers.ts";
import { PostgresServer } from "./postgres-server.ts";
import { setUpPostgres } from "./postgres-setup.ts";
import { quoteName } from "./postgres-sql.ts";
import { sqlOn } from "./postgres-statements.ts";
import type { Sql } from "./store.ts";
import { DatabaseRefused } from "./store-errors.ts";

export interface PostgresSessions {
  /**
   * A way of its own to the server: its failed attempts do not delay others. A session from it is prepared, and is not a
   * standby's.
   */
  readonly newServer: () => Pick<PostgresServer, "connect">;
  /** Reads on one of a few sessions, once more on a new one if the connection is lost. Throws store errors. */
  readonly read: <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;
  /** The error that a failed statement means to callers. */
  readonly asFailure: (error: unknown, connection: PostgresConnection) => unknown;
  /** Waits for the reads under way. Sessions of `newServer` are their owner's to close. */
  readonly close: () => Promise<void>;
}

export interface SessionsParts {
  readonly host: Host;
  readonly log: Log;
  /** Throws a `DatabaseRefused` for a server that must not hold the store. */
  readonly check?: (connection: PostgresConnection) => Promise<void>;
  /** The time for which a server that does not answer is waited for. */
  readonly patienceMilliseconds?: number;
  /** Makes and changes nothing: the user needs no right but to read. False if omitted. */
  readonly readOnly?: boolean;
}

/**
 * Makes the database and its schema if they are missing, and runs the migrations that they lack, one process at a time. A
 * reader is refused instead.
 */
export async function connectPostgresSessions(
  config: PostgresConfig,
  plan: StoreMigrations<Sql>,
  parts: SessionsParts,
): Promise<PostgresSessions> {
  const { host, log, patienceMilliseconds = OPEN_PATIENCE_MILLISECONDS, readOnly = false } = parts;
  const session = `callsign ${plan.store} ${host.randomness.uuid()}`;
  const newServer = () => new PostgresServer(config, host, session);
  await openPatiently({ host, log, patienceMilliseconds }, async () => {
    if (!readOnly) await setUpPostgres(config, { host, log, session, store: plan.store });
    const connection = await newServer().connect(async (made) => parts.check?.(made));
    try {
      if (readOnly) await checkReadable(connection, config, plan);
      else await migrateAlone(connection, config, plan);
    } catch (error) {
      throw asStoreFailure(error, config, connection.isLost);
    } finally {
      await connection.close();
    }
  });
  const readers = new PostgresReaders(newServer(), async () => undefined);
  const asFailure = (error: unknown, connection: PostgresConnection) =>
    asStoreFailure(error, config, connection.isLost);
  const reading = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    newServer,
    asFailure,
    read: async (work) => {
      if (isClosed) throw new Error("the store is closed");
      const read = readers.read((connection) =>
        work(connection).catch((error: unknown) => {
          throw asFailure(error, connection);
        }),
      );
      const ended: Promise<unknown> = read
        .catch(() => undefined)
        .finally(() => {
          reading.delete(ended);
        });
      reading.add(ended);
      return read;
    },
    close: async () => {
      isClosed = true;
      await Promise.all(reading);
      await readers.close();
    },
  };
}

async function checkReadable(
  connection: PostgresConnection,
  config: PostgresConfig,
  plan: StoreMigrations<Sql>,
): Promise<void> {
  const [schema, user] = [quoteName(config.schema), quoteName(config.user)];
  const versions = `${schema}.store_version`;
  const { rows } = await connection.query({
    text: `select case when has_schema_privilege($1, 'usage') and to_regclass($2) is not null
        then (select bool_and(has_table_privilege(c.oid, 'select')) from pg_class c
          where c.relnamespace = to_regnamespace($3) and c.relkind in ('r', 'p')) end as readable
      where to_regnamespace($3) is not null`,
    parameters: [config.schema, versions, schema],
  });
  const place = `${describeDatabase(config)}: schema ${schema}`;
  const [found] = rows;
  if (found === undefined)
    throw new DatabaseRefused(
      `${place} is missing, and only a user who may write makes it: start that one first`,
    );
  if (found["readable"] !== 1n)
    throw new DatabaseRefused(
      `${place} has no store "${plan.store}" that this user may read. As its owner run: grant usage on schema ${schema} to ` +
        `${user}; grant select on all tables in schema ${schema} to ${user}`,
    );
  if (await isMigrated(sqlOn(connection, config), plan)) return;
  throw new DatabaseRefused(
    `${place} is of an earlier release: start this release with a user who may write first`,
  );
}

async function migrateAlone(
  connection: PostgresConnection,
  config: PostgresConfig,
  plan: StoreMigrations<Sql>,
): Promise<void> {
  await connection.limitStatements(MIGRATION_MILLISECONDS);
  // Each statement sees the migrations of the process that had the lock before.
  await connection.script("begin isolation level read committed");
  await connection.script(`select pg_advisory_xact_lock(${keyOf(config.schema)})`);
  await migrateIn(sqlOn(connection, config), plan);
  await connection.script("commit");
}
