/** The one way to open a participant's store: a store of an earlier version gets the tables and rows that it lacks. */
import type { DatabaseSync } from "node:sqlite";
import { openSqliteStore, type SqliteStore } from "@callsign/node";
import { fillReadIndex } from "./read-index.ts";
import { participantSchema } from "./schema.ts";

export function openParticipantStore(database: DatabaseSync): Promise<SqliteStore> {
  return openSqliteStore(database, { store: "participant", migrations: [participantSchema, fillReadIndex] });
}
