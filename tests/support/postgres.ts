/** PostgreSQL for tests: databases on one server that all test files share, or a server of a test's own. */
import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import pg from "pg";
import type { TestContext } from "vitest";
import type { PostgresConfig } from "../../packages/node/src/database/postgres-config.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { askForService } from "./ask-for-service.ts";
import { type PostgresOptions, PostgresServer } from "./postgres-server.ts";

type Skip = Pick<TestContext, "skip">;

/** A Debian package, installed if that is possible; skips the test with the reason if it is not. */
export async function needPackage(name: string, test: Skip): Promise<void> {
  await askForService(`package/${name}`, test);
}

/** A database of the shared server, which is made when it is opened. A seed gives the same one again. */
export async function sharedDatabase(seed: string = randomUUID(), test?: Skip): Promise<PostgresConfig> {
  const config = await askForService<PostgresConfig>("postgres", test);
  return { ...config, database: `t${createHash("sha256").update(seed).digest("hex").slice(0, 32)}` };
}

/** A server of its own, to stop, kill and configure. */
export async function ownServer(
  options: PostgresOptions,
  atEnd: AtEnd,
  test?: Skip,
): Promise<PostgresServer> {
  await askForService("postgres-programs", test);
  return PostgresServer.start(options, atEnd);
}

export type StoreKind = "SQLite" | "PostgreSQL";
export const STORE_KINDS: readonly StoreKind[] = ["SQLite", "PostgreSQL"];

/** The store of roles in tests that do not choose one: `CALLSIGN_STORE=postgres npm test -- tests/participant`. */
export const chosenStore: StoreKind = process.env["CALLSIGN_STORE"] === "postgres" ? "PostgreSQL" : "SQLite";

/** The stores of tests that run on both; with PostgreSQL chosen, there alone. */
export const TESTED_STORES: readonly StoreKind[] =
  chosenStore === "PostgreSQL" ? ["PostgreSQL"] : STORE_KINDS;

/** The place of a role's store: its folder, or a database that belongs to that folder. */
export async function storeIn(
  folder: string,
  kind: StoreKind = chosenStore,
  test?: Skip,
): Promise<{ readonly database?: PostgresConfig }> {
  return kind === "SQLite" ? {} : { database: await sharedDatabase(folder, test) };
}

/** Loses the store of a role that has been closed. */
export async function loseStoreIn(folder: string): Promise<void> {
  const { database } = await storeIn(folder);
  if (database === undefined) return rmSync(folder, { recursive: true });
  const client = new pg.Client({ ...database, ssl: false, database: "postgres" });
  await client.connect();
  try {
    await client.query(`drop database "${database.database}"`);
  } finally {
    await client.end();
  }
}
