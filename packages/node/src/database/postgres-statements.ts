import type { PostgresConfig } from "./postgres-config.ts";
import type { PostgresConnection, Statement } from "./postgres-connection.ts";
import { asStoreFailure } from "./postgres-failures.ts";
import { toPostgres } from "./postgres-sql.ts";
import type { Sql } from "./store.ts";

/** The roles' SQL on one session; without prepared statements, unless `prepare` names them. */
export function sqlOn(
  connection: PostgresConnection,
  config: PostgresConfig,
  prepare: (statement: string) => Statement = (statement) => ({ text: toPostgres(statement) }),
): Sql {
  const query = async (...[statement, ...parameters]: Parameters<Sql["all"]>) => {
    try {
      return await connection.query({ ...prepare(statement), parameters });
    } catch (error) {
      throw asStoreFailure(error, config, connection.isLost);
    }
  };
  return {
    all: async (...given) => (await query(...given)).rows,
    get: async (...given) => (await query(...given)).rows[0],
    run: async (...given) => (await query(...given)).changes,
  };
}
