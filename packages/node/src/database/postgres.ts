/** PostgreSQL, loaded by the first process that uses it: one with SQLite starts without. */
import type { examinePostgresServer } from "./examine-postgres.ts";
import type { connectPostgresStore } from "./postgres-store.ts";

export async function openPostgresStore(
  ...given: Parameters<typeof connectPostgresStore>
): ReturnType<typeof connectPostgresStore> {
  const { connectPostgresStore: connect } = await import("./postgres-store.ts");
  return connect(...given);
}

export async function examinePostgres(
  ...given: Parameters<typeof examinePostgresServer>
): ReturnType<typeof examinePostgresServer> {
  const { examinePostgresServer: examine } = await import("./examine-postgres.ts");
  return examine(...given);
}
