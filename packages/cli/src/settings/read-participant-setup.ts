/** The setup of a participant. */
import { PARTICIPANT_KEYS } from "../keys/participant-keys.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import type { KeyReader } from "./key-reader.ts";
import { readParticipantTokens } from "./read-authentication.ts";
import { readDatabase } from "./read-database.ts";
import { readListening, readProcess } from "./read-process.ts";
import { type Draft, readSetup } from "./read-setup.ts";
import type { ParticipantSetup } from "./setups.ts";

const LEDGER_PORT = 7575;

export function readParticipantSetup(parts: ReadParts): SetupOutcome<ParticipantSetup> {
  return readSetup(PARTICIPANT_KEYS, parts, draftParticipant);
}

function draftParticipant(reader: KeyReader): Draft<ParticipantSetup> | undefined {
  const auth = readParticipantTokens(reader);
  const adminUsers = readAdminUsers(reader);
  const database = readDatabase(reader, {
    databaseName: "participant_MIGRATION_ID",
    schema: "participant",
    migrationId: reader.number("migration.id") ?? 0,
  });
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
      ...(pathPrefix === undefined ? {} : { pathPrefix }),
      ...(admin === undefined ? {} : { admin }),
    },
  };
}

function readAdmin(reader: KeyReader) {
  if (reader.has("callsign.adminPort"))
    return readListening(reader, { key: "callsign.adminPort", port: 5002, tls: "admin" });
  if (reader.names("callsign.tls.admin").length > 0) {
    return readListening(reader, { key: "callsign.adminPort", port: 5002, tls: "admin" });
  }
  return undefined;
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
