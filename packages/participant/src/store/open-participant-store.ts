/** The versions of a participant's store. One of an earlier version gets the tables and rows that it lacks. */
import type { DatabaseSync } from "node:sqlite";
import { openSqliteStore, type Sql, type SqliteStore, type StoreMigrations } from "@callsign/node";
import { fillReadIndex } from "./read-index.ts";
import { participantSchema } from "./schema.ts";
import { shortenKeys } from "./short-keys.ts";

export const participantMigrations: StoreMigrations<Sql> = {
  store: "participant",
  migrations: [participantSchema, fillReadIndex, shortenKeys, allowPackedBodies],
};

/** Gives the store a version that earlier releases refuse: they cannot read compressed bodies. */
async function allowPackedBodies(): Promise<void> {
  // Bodies of earlier releases stay as they are, and `unpackBody` reads them.
}

export function openParticipantStore(database: DatabaseSync): Promise<SqliteStore> {
  return openSqliteStore(database, participantMigrations);
}
