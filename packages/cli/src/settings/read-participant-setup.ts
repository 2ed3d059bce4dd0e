/** The setup of a participant. */
import type { PostgresConfig } from "@callsign/node";
import { PARTICIPANT_KEYS } from "../keys/participant-keys.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import type { KeyReader } from "./key-reader.ts";
import { readParticipantTokens } from "./read-authentication.ts";
import { formatDatabaseName, readDatabase } from "./read-database.ts";
import { readListening, readProcess } from "./read-process.ts";
import { type Draft, readSetup } from "./read-setup.ts";
import type { ParticipantSetup } from "./setups.ts";

const LEDGER_PORT = 7575;
const DATABASE_NAME = "participant_MIGRATION_ID";

export function readParticipantSetup(parts: ReadParts): SetupOutcome<ParticipantSetup> {
  return readSetup(PARTICIPANT_KEYS, parts, draftParticipant);
}

function draftParticipant(reader: KeyReader): Draft<ParticipantSetup> | undefined {
  const auth = readParticipantTokens(reader);
  const adminUsers = readAdminUsers(reader);
  const migrationId = reader.number("migration.id");
  const database = readDatabase(reader, {
    ...{ databaseName: DATABASE_NAME, schema: "participant", migrationId: migrationId ?? 0 },
  });
  const migration = readMigration(reader, database);
  const listening = readListening(reader, { key: "callsign.port", port: LEDGER_PORT, tls: "api" });
  const admin = readAdmin(reader);
  const pathPrefix = reader.text("jsonApiServerPathPrefix");
  const process = readProcess(reader, { healthIsOnApi: false });
  if (auth === undefined) return undefined;
  return {
    ...process,
    config: {
      ...listening,
      dataFolder: reader.text("callsign.dataFolder") ?? ".data/participant",
      nodeIdentifier: reader.text("nodeIdentifier") ?? "participant",
      sequencers: reader.texts("callsign.sequencers") ?? [],
      auth,
      adminUsers,
      ...(database === undefined ? {} : { database }),
      ...(migrationId === undefined ? {} : { migrationId }),
      ...migration,
      ...(pathPrefix === undefined ? {} : { pathPrefix }),
      ...(admin === undefined ? {} : { admin }),
    },
  };
}

function readMigration(reader: KeyReader, database: PostgresConfig | undefined) {
  const id = reader.number("migration.id") ?? 0;
  const migrating = reader.flag("migration.migrating") ?? false;
  if (migrating && id === 0)
    reader.refuse(
      "migration.migrating",
      "has no migration before 0",
      "Give the id that the network was migrated to in migration.id, or set it to false",
    );
  if (database === undefined || id === 0) return { migrating };
  const given = reader.text("persistence.databaseName") ?? DATABASE_NAME;
  const previous = reader.text("migration.previousDatabaseName") ?? previousName(given, id);
  if (previous !== undefined && previous !== database.database)
    return { migrating, previousDatabase: { ...database, database: previous } };
  if (migrating)
    reader.refuse(
      "migration.migrating",
      `needs a database for each migration, and ${database.database} carries no id`,
      "Give a new database in persistence.databaseName and the one before in migration.previousDatabaseName",
    );
  return { migrating };
}

/** The name with the id before in the place of the last number, if that is the id. */
function previousName(given: string, id: number): string | undefined {
  const before = formatDatabaseName(given, id - 1);
  if (before !== given) return before;
  const [, start, number, end] = /^(.*?)(\d+)(\D*)$/.exec(given) ?? [];
  return number === String(id) ? `${start}${id - 1}${end}` : undefined;
}

function readAdmin(reader: KeyReader) {
  const isGiven = reader.has("callsign.adminPort") || reader.names("callsign.tls.admin").length > 0;
  return isGiven ? readListening(reader, { key: "callsign.adminPort", port: 5002, tls: "admin" }) : undefined;
}

function readAdminUsers(reader: KeyReader): readonly string[] {
  const first =
    reader.text("callsign.adminUser") ??
    (reader.flag("disableAuth") === true ? "ledger-api-user" : undefined);
  const others = reader.texts("callsign.adminUsers") ?? [];
  if (first === undefined && others.length === 0) {
    const fix =
      "Mount the secret of participantAdminUserNameFrom and give --secrets DIR, or set the environment variable " +
      "CANTON_PARTICIPANT_ADMIN_USER_NAME";
    reader.require("callsign.adminUser", fix);
  }
  return [...new Set([...(first === undefined ? [] : [first]), ...others])];
}
