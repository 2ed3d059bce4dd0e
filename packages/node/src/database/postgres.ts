/** PostgreSQL, loaded by the first process that uses it: one with SQLite starts without. */
import type { examinePostgresServer, hasPostgresTables } from "./examine-postgres.ts";
import type { connectPostgresSessions } from "./postgres-sessions.ts";
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

export async function hasPostgresStore(
  ...given: Parameters<typeof hasPostgresTables>
): ReturnType<typeof hasPostgresTables> {
  const { hasPostgresTables: look } = await import("./examine-postgres.ts");
  return look(...given);
}

export async function openPostgresSessions(
  ...given: Parameters<typeof connectPostgresSessions>
): ReturnType<typeof connectPostgresSessions> {
  const { connectPostgresSessions: open } = await import("./postgres-sessions.ts");
  return open(...given);
}
