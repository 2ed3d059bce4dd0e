/** The keys of a participant: those of the chart splice-participant, and ours under `callsign`. */
import { databaseKeys } from "./database-keys.ts";
import { PARTICIPANT_ROOT, participantPaths } from "./hocon-roots.ts";
import { type KeyTable, key, under } from "./key.ts";
import { FLAG, identifier, PORT, TEXT, TEXTS, URL_TEXT, WHOLE } from "./key-type.ts";
import { KUBERNETES_KEYS, PARTICIPANT_KUBERNETES_KEYS } from "./kubernetes-keys.ts";
import { MIGRATING_KEY } from "./migrating-key.ts";
import { processKeys, tlsKeys } from "./process-keys.ts";
import { disableAuthKey, sharedSecretKeys } from "./token-keys.ts";

export const PARTICIPANT_KEYS: KeyTable = [
  key(
    "nodeIdentifier",
    identifier(185),
    "what the participant's id begins with; it is fixed at the first start",
    {
      otherwise: "`participant`",
      variables: ["PARTICIPANT_IDENTIFIER", "PARTY_HINT"],
    },
  ),
  key("auth.jwksUrl", URL_TEXT, "the key set of the issuer of tokens", {
    variables: ["AUTH_JWKS_URL"],
  }),
  key("auth.targetAudience", TEXT, "the audience of tokens for the ledger API", {
    variables: ["AUTH_TARGET_AUDIENCE", "LEDGER_API_AUTH_AUDIENCE"],
  }),
  key(
    "callsign.auth.targetScope",
    TEXT,
    "the scope of tokens for the ledger API, with or instead of the audience",
    {
      variables: ["AUTH_TARGET_SCOPE"],
    },
  ),
  ...sharedSecretKeys({ algorithm: [], secret: [] }),
  disableAuthKey("no token is needed; set it for the validator too"),
  key(
    "participantAdminUserNameFrom.secretKeyRef.name",
    TEXT,
    "the secret with the name of the first administrator",
    {
      otherwise: "`splice-app-validator-ledger-api-auth`, then `splice-app-sv-ledger-api-auth`",
    },
  ),
  key("participantAdminUserNameFrom.secretKeyRef.key", TEXT, "its key", { otherwise: "`ledger-api-user`" }),
  key("participantAdminUserNameFrom.secretKeyRef.optional", FLAG, "whether it may be missing", {
    unused: "a participant needs an administrator anyway",
  }),
  key("callsign.adminUser", TEXT, "that name itself, where there are no mounted secrets", {
    otherwise: "`ledger-api-user` with `disableAuth`",
    variables: ["CANTON_PARTICIPANT_ADMIN_USER_NAME", "LEDGER_API_ADMIN_USER"],
    mounted: {
      name: "splice-app-validator-ledger-api-auth",
      otherName: "splice-app-sv-ledger-api-auth",
      key: "ledger-api-user",
      nameFrom: "participantAdminUserNameFrom.secretKeyRef.name",
      keyFrom: "participantAdminUserNameFrom.secretKeyRef.key",
    },
  }),
  key(
    "jsonApiServerPathPrefix",
    { kind: "text", pattern: /^[\w.~/-]*$/, form: "a path" },
    "what the ledger API's paths begin with, for proxies",
    {
      variables: ["CANTON_PARTICIPANT_JSON_API_SERVER_PATH_PREFIX"],
      hocon: participantPaths("http-ledger-api.server.path-prefix", "http-ledger-api.path-prefix"),
    },
  ),
  key(
    "migration.id",
    WHOLE,
    "the network's migration id: the store belongs to it, sequencers of others are not followed, and it stands for `MIGRATION_ID` in the database's name",
    { otherwise: "`0`; any network is followed", variables: ["MIGRATION_ID"] },
  ),
  MIGRATING_KEY,
  key("migration.previousDatabaseName", { kind: "text", max: 63 }, "the database of the migration before", {
    otherwise: "`persistence.databaseName` with the id before in the place of its last number",
    variables: ["CALLSIGN_PREVIOUS_DATABASE"],
  }),
  ...under("callsign", [
    key("port", PORT, "port of the JSON Ledger API", {
      otherwise: "`7575`",
      variables: ["CALLSIGN_PORT"],
      hocon: participantPaths("http-ledger-api.server.port", "http-ledger-api.port"),
    }),
    key("adminPort", PORT, "a port of its own for the admin API, usually 5002", {
      otherwise: "the admin API is on `callsign.port`",
      variables: ["CALLSIGN_ADMIN_PORT"],
      hocon: participantPaths("admin-api.port"),
    }),
    key("sequencers", { kind: "list", of: URL_TEXT }, "sequencers, until the validator sets others", {
      otherwise: "none: it waits for the validator's",
    }),
    key("adminUsers", TEXTS, "further administrators"),
  ]),
  ...tlsKeys("api", participantPaths("ledger-api.tls", "http-ledger-api.tls", "http-ledger-api.server.tls")),
  ...tlsKeys("admin", participantPaths("admin-api.tls")),
  ...databaseKeys({
    databaseName: "participant_MIGRATION_ID",
    schema: "participant",
    variables: {
      server: "CANTON_PARTICIPANT_POSTGRES_SERVER",
      port: "CANTON_PARTICIPANT_POSTGRES_PORT",
      user: "CANTON_PARTICIPANT_POSTGRES_USER",
      password: "CANTON_PARTICIPANT_POSTGRES_PASSWORD",
      database: "CANTON_PARTICIPANT_POSTGRES_DB",
      schema: "CANTON_PARTICIPANT_POSTGRES_SCHEMA",
    },
    storage: `${PARTICIPANT_ROOT}.storage`,
  }),
  ...processKeys({
    dataFolder: ".data/participant",
    healthPort: "`5003`",
    address: participantPaths("http-ledger-api.server.address", "http-ledger-api.address"),
  }),
  ...KUBERNETES_KEYS,
  ...PARTICIPANT_KUBERNETES_KEYS,
];
