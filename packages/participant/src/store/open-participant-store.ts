/** The versions of a participant's store. One of an earlier version gets the tables and rows that it lacks. */
import type { DatabaseSync } from "node:sqlite";
import {
  openSqliteStore,
  type Sql,
  type SqliteStore,
  type StoreMigrations,
  TEXT_DICTIONARIES,
} from "@callsign/node";
import { fillReadIndex } from "./read-index.ts";
import { participantSchema } from "./schema.ts";
import { shortenKeys } from "./short-keys.ts";

/** Bodies of earlier releases stay in the column `body`, which new rows have empty. */
const addPackedBodies = `
  alter table stream_item add column packed blob;
  ${TEXT_DICTIONARIES}
`;

export const participantMigrations: StoreMigrations<Sql> = {
  store: "participant",
  migrations: [participantSchema, fillReadIndex, shortenKeys, allowCompressedBodies, addPackedBodies],
};

/** Gives the store a version that earlier releases refuse: they cannot read compressed bodies. */
async function allowCompressedBodies(): Promise<void> {
  // Bodies of earlier releases stay as they are, and `unpackBody` reads them.
}

export function openParticipantStore(database: DatabaseSync): Promise<SqliteStore> {
  return openSqliteStore(database, participantMigrations);
}
