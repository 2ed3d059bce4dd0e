/** The keys of a log on the PostgreSQL server of the tests, in a schema of its own. */
import type { PostgresConfig } from "@callsign/node";
import { POSTGRES_RISKS } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { fresh } from "./fresh.ts";

export function postgresLogValues({ host, port, user, password, database }: PostgresConfig) {
  const login = { hosts: [`${host}:${port}`], user, password, databaseName: database, schema: fresh("log") };
  return { kind: "postgres", postgres: login, accept: POSTGRES_RISKS };
}
