import type { connectPostgresLog } from "./postgres-log.ts";

/** Opens the log on a PostgreSQL server. Its modules are loaded here: a process with another log starts without them. */
export async function openPostgresLog(
  ...given: Parameters<typeof connectPostgresLog>
): ReturnType<typeof connectPostgresLog> {
  const { connectPostgresLog: connect } = await import("./postgres-log.ts");
  return connect(...given);
}
