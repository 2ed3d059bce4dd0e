/** Makes the database and the schema if they are missing, and refuses a server or a schema that cannot hold the store. */
import { errorCodeOf } from "../host/error-code.ts";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { connectPostgres, type PostgresConnection } from "./postgres-connection.ts";
import { asStartFailure, describeDatabase } from "./postgres-failures.ts";
import { MAX_NAME_BYTES, quoteName } from "./postgres-sql.ts";
import { DatabaseDamaged, DatabaseRefused } from "./store-errors.ts";
import { movedPlaceOf } from "./store-marks.ts";

const OLDEST_VERSION = 140_000;
/** A database to connect to while the node's own is missing. */
const MAINTENANCE = ["postgres", "template1"] as const;

interface Setup {
  readonly host: Host;
  readonly log: Log;
  readonly session: string;
  readonly store: string;
  /** A store that was moved elsewhere is refused, unless this is true. */
  readonly acceptMoved?: boolean;
}

/** Throws an error that no waiting mends, or a `StoreUnavailable`. */
export async function setUpPostgres(config: PostgresConfig, setup: Setup): Promise<void> {
  checkNames(config);
  let connection: PostgresConnection | undefined;
  try {
    connection = await connectOrCreate(config, setup);
    await checkServer(connection, config, setup.log);
    await makeSchema(connection, config);
    if (setup.acceptMoved !== true) await refuseMoved(connection, config);
    await checkSchema(connection, config, setup.store);
  } catch (error) {
    throw asStartFailure(error, config);
  } finally {
    await connection?.close();
  }
}

function checkNames({ database, schema }: PostgresConfig): void {
  for (const [key, name] of Object.entries({ databaseName: database, schema })) {
    if (name === "" || name.includes("\u0000") || Buffer.byteLength(name) > MAX_NAME_BYTES) {
      throw new DatabaseRefused(
        `the database's ${key} is "${name}": allowed are 1 to ${MAX_NAME_BYTES} bytes`,
      );
    }
  }
}

async function connectOrCreate(config: PostgresConfig, setup: Setup): Promise<PostgresConnection> {
  try {
    return await connectPostgres(config, setup);
  } catch (error) {
    if (errorCodeOf(error) !== "3D000") throw error;
  }
  await createDatabase(config, setup);
  return connectPostgres(config, setup);
}

async function createDatabase(config: PostgresConfig, setup: Setup): Promise<void> {
  const connection = await connectToMaintenance(config, setup);
  try {
    // Texts are ordered by their bytes, whatever the server's own language is.
    await connection.script(
      `create database ${quoteName(config.database)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    );
    setup.log.info({ database: config.database }, "database created");
  } catch (error) {
    const code = errorCodeOf(error);
    // Another process was faster.
    if (code === "42P04" || code === "23505") return;
    if (code !== "42501") throw error;
    const { user, database } = config;
    throw new DatabaseRefused(
      `${describeDatabase(config)}: the database is missing, and the user may not create it. As an administrator run: ` +
        `create database ${quoteName(database)} owner ${quoteName(user)} template template0 encoding 'UTF8'`,
      { cause: error },
    );
  } finally {
    await connection.close();
  }
}

export async function connectToMaintenance(
  config: PostgresConfig,
  setup: Setup,
): Promise<PostgresConnection> {
  let failure: unknown;
  for (const database of MAINTENANCE) {
    try {
      return await connectPostgres({ ...config, database }, setup);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Refuses a server that cannot hold the store; returns its version. */
export async function checkServer(
  connection: PostgresConnection,
  config: PostgresConfig,
  log: Log,
): Promise<string> {
  const { rows } = await connection.query({
    text: `select current_setting('server_version_num')::bigint as version, current_setting('server_version') as shown,
      current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes`,
  });
  const found = rows[0] ?? {};
  if (Number(found["version"]) < OLDEST_VERSION) {
    throw new DatabaseRefused(
      `${describeDatabase(config)}: the server is PostgreSQL ${found["shown"]}, and 14 or newer is needed. Upgrade it`,
    );
  }
  if (found["encoding"] !== "UTF8") {
    throw new DatabaseRefused(
      `${describeDatabase(config)}: the database's encoding is ${found["encoding"]}, and UTF8 is needed. ` +
        "Create another database: ... template template0 encoding 'UTF8'",
    );
  }
  for (const setting of ["fsync", "full_page_writes"]) {
    if (found[setting] === "on") continue;
    log.error(
      { setting },
      `the database server runs with ${setting} = off: a crash of its machine loses or damages acknowledged data. Turn it on`,
    );
  }
  return String(found["shown"]);
}

async function makeSchema(connection: PostgresConnection, { schema }: PostgresConfig): Promise<void> {
  const { rows } = await connection.query({
    text: "select 1 as found from pg_namespace where nspname = $1",
    parameters: [schema],
  });
  if (rows.length > 0) return;
  try {
    await connection.script(`create schema if not exists ${quoteName(schema)}`);
  } catch (error) {
    // Another process was faster.
    if (errorCodeOf(error) !== "23505") throw error;
  }
}

/** The place that the schema's store was moved to; null if it was not. */
export async function findMovedPlace(
  connection: PostgresConnection,
  { schema }: PostgresConfig,
): Promise<string | null> {
  const { rows } = await connection.query({
    text: "select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1",
    parameters: [schema],
  });
  return movedPlaceOf(rows[0]?.["comment"]);
}

async function refuseMoved(connection: PostgresConnection, config: PostgresConfig): Promise<void> {
  const { schema } = config;
  const place = await findMovedPlace(connection, config);
  if (place === null) return;
  throw new DatabaseRefused(
    `${describeDatabase(config)}: schema "${schema}" was moved to ${place}: start with the configuration of that place. ` +
      `To go back to this older state, run: comment on schema ${quoteName(schema)} is null`,
  );
}

/** Tables of other programs, or of another role, are left alone. */
export async function checkSchema(
  connection: PostgresConnection,
  config: PostgresConfig,
  store: string,
): Promise<void> {
  const { schema } = config;
  const { rows } = await connection.query({
    text: `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname`,
    parameters: [schema],
  });
  const tables = rows.map(({ name }) => String(name));
  if (tables.length === 0) return;
  const place = `${describeDatabase(config)}: schema "${schema}"`;
  if (!tables.includes("store_version")) {
    const shown = tables.slice(0, 3).join(", ");
    throw new DatabaseDamaged(
      `${place} holds tables of another program (${shown}): give another database or schema`,
    );
  }
  const known = await connection.query({
    text: `select store from ${quoteName(schema)}.store_version order by store`,
  });
  const stores = known.rows.map((row) => String(row["store"]));
  if (stores.length === 0 || stores.includes(store)) return;
  throw new DatabaseDamaged(
    `${place} holds the store "${stores.join('", "')}" and no "${store}": it belongs to another role. ` +
      "Give another database or schema",
  );
}
