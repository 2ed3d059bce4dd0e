/** Looks at an operator's database from outside, and changes nothing. */
import { errorCodeOf } from "../host/error-code.ts";
import type { Host } from "../host/host.ts";
import { silentLog } from "../observability/log.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { connectPostgres, type PostgresConnection } from "./postgres-connection.ts";
import { asStartFailure } from "./postgres-failures.ts";
import { checkSchema, checkServer, connectToMaintenance } from "./postgres-setup.ts";
import { DatabaseRefused } from "./store-errors.ts";

/** Resolves with a sentence about the server and the database; throws the error that a start would. */
export async function examinePostgresServer(
  config: PostgresConfig,
  { host, store }: { readonly host: Host; readonly store: string },
): Promise<string> {
  const setup = { host, store, log: silentLog, session: "callsign doctor" };
  let connection: PostgresConnection | undefined;
  try {
    connection = await connectPostgres(config, setup).catch((error: unknown) => {
      if (errorCodeOf(error) === "3D000") return undefined;
      throw error;
    });
    const isThere = connection !== undefined;
    connection ??= await connectToMaintenance(config, setup);
    const version = await checkServer(connection, config, setup.log);
    if (!isThere && !(await mayCreate(connection)))
      throw new DatabaseRefused(
        `the database ${config.database} is missing, and the user ${config.user} may not create it`,
      );
    if (isThere) await checkSchema(connection, config, store);
    return `PostgreSQL ${version}; ${isThere ? "the database is there" : "the database will be made at the first start"}`;
  } catch (error) {
    throw asStartFailure(error, config);
  } finally {
    await connection?.close();
  }
}

/** True if the database has tables of the store. A database that is missing is not made. */
export async function hasPostgresTables(
  config: PostgresConfig,
  { host, store }: { readonly host: Host; readonly store: string },
): Promise<boolean> {
  const setup = { host, store, log: silentLog, session: `callsign ${store}` };
  let connection: PostgresConnection | undefined;
  try {
    connection = await connectPostgres(config, setup);
    const { rows } = await connection.query({
      text: "select 1 as found from pg_tables where schemaname = $1 and tablename = 'store_version'",
      parameters: [config.schema],
    });
    if (rows.length > 0) await checkSchema(connection, config, store);
    return rows.length > 0;
  } catch (error) {
    if (errorCodeOf(error) === "3D000") return false;
    throw asStartFailure(error, config);
  } finally {
    await connection?.close();
  }
}

async function mayCreate(connection: PostgresConnection): Promise<boolean> {
  const { rows } = await connection.query({
    text: "select (rolcreatedb or rolsuper)::int::bigint as may from pg_roles where rolname = current_user",
  });
  return rows[0]?.["may"] === 1n;
}
