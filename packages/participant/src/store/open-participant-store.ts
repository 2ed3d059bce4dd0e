/** The versions of a participant's store. One of an earlier version gets the tables and rows that it lacks. */
import type { DatabaseSync } from "node:sqlite";
import { openSqliteStore, type Sql, type SqliteStore, type StoreMigrations } from "@callsign/node";
import { fillReadIndex } from "./read-index.ts";
import { participantSchema } from "./schema.ts";
import { shortenKeys } from "./short-keys.ts";

export const participantMigrations: StoreMigrations<Sql> = {
  store: "participant",
  migrations: [participantSchema, fillReadIndex, shortenKeys, packBodies],
};

/** New bodies are compressed from here on: an earlier release must not open the store. */
async function packBodies(): Promise<void> {
  // Those that are there are read as they are.
}

export function openParticipantStore(database: DatabaseSync): Promise<SqliteStore> {
  return openSqliteStore(database, participantMigrations);
}
