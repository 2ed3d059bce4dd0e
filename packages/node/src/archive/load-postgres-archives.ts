/** Archives of PostgreSQL, loaded by the first command that uses them: processes with SQLite start without. */
export function loadPostgresArchives(): Promise<typeof import("./postgres-archive.ts")> {
  return import("./postgres-archive.ts");
}
