/** PostgreSQL databases: `persistence` of a role, and `log.postgres` of a network's log. */
import { type Key, type KeyTable, key, under } from "./key.ts";
import { FLAG, TEXT } from "./key-type.ts";

type Setting = "port" | "user" | "password" | "database" | "schema";

interface DatabaseDefaults {
  readonly databaseName: string;
  readonly schema: string;
  /** The names of Splice's variables for this role. */
  readonly variables: Readonly<Record<"server" | Setting, string>>;
  /** The storage's block in HOCON. */
  readonly storage: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** PostgreSQL if there is a host, SQLite in the data folder otherwise. */
export function databaseKeys({ databaseName, schema, variables, storage }: DatabaseDefaults): KeyTable {
  const property = (...names: readonly string[]) =>
    names.map((name) => `${storage}.config.properties.${name}`);
  const host = key("host", TEXT, "the PostgreSQL server", {
    otherwise: "SQLite in `callsign.dataFolder`",
    variables: [variables.server, "SPLICE_DB_SERVER"],
    hocon: property("serverName"),
  });
  return loginKeys("persistence", host, {
    ...{ databaseName, schema, property },
    secretName: "postgres-secrets",
    variables: {
      port: [variables.port, "SPLICE_DB_PORT"],
      user: [variables.user, "SPLICE_DB_USER"],
      password: [variables.password, "SPLICE_DB_PASSWORD"],
      database: [variables.database],
      schema: [variables.schema],
    },
  });
}

/** The database of a network's log, which all of its SVs use. */
export function logDatabaseKeys(): KeyTable {
  const hosts = key(
    "hosts",
    { kind: "list", of: TEXT, min: 1 },
    "the PostgreSQL servers of the log's database, as `host` or `host:port`; the one that takes writes is used",
  );
  return loginKeys("log.postgres", hosts, {
    ...{ databaseName: "callsign_log", schema: "log", property: () => [] },
    secretName: "log-postgres-secrets",
    variables: {
      password: ["CALLSIGN_LOG_PASSWORD"],
      port: [],
      user: [],
      database: [],
      schema: [],
    },
  });
}

interface LoginOptions {
  readonly databaseName: string;
  readonly schema: string;
  readonly secretName: string;
  readonly variables: Readonly<Record<Setting, readonly string[]>>;
  /** The paths of properties in HOCON. */
  readonly property: (...names: readonly string[]) => readonly string[];
}

function loginKeys(prefix: string, server: Key, options: LoginOptions): KeyTable {
  const { databaseName, schema, secretName, variables, property } = options;
  return under(prefix, [
    server,
    key("port", { kind: "whole", min: 1, max: 65_535 }, "its port", {
      otherwise: "`5432`",
      variables: variables.port,
      hocon: property("portNumber"),
    }),
    key("user", TEXT, "the database user", {
      otherwise: "`cnadmin`",
      variables: variables.user,
      hocon: property("user"),
    }),
    key("secretName", TEXT, "the secret with its password, under `postgresPassword`", {
      otherwise: `\`${secretName}\``,
    }),
    key("password", { kind: "text", max: 1000 }, "its password, where there are no mounted secrets", {
      isSecret: true,
      variables: variables.password,
      hocon: property("password"),
      mounted: { name: secretName, key: "postgresPassword", nameFrom: `${prefix}.secretName` },
    }),
    key(
      "databaseName",
      { kind: "text", max: 63 },
      "the database, made if it is missing; `MIGRATION_ID` in it stands for the migration id",
      { otherwise: `\`${databaseName}\``, variables: variables.database, hocon: property("databaseName") },
    ),
    key("schema", { kind: "text", max: 63 }, "the schema", {
      otherwise: `\`${schema}\``,
      variables: variables.schema,
      hocon: property("currentSchema"),
    }),
    key("ssl", FLAG, "whether TLS is spoken to the server; alone it means `sslmode` `verify-full`", {
      otherwise: "by `sslmode`",
      hocon: property("ssl"),
    }),
    key("sslmode", { kind: "choice", of: SSL_MODES }, "how the server is checked, as for libpq", {
      otherwise: "`prefer`; `verify-full` with `ssl: true`, and with files",
      hocon: property("sslmode", "sslMode"),
    }),
    key("sslrootcert", TEXT, "PEM file of the server's authorities", {
      hocon: property("sslrootcert", "sslRootCert"),
    }),
    key("sslcert", TEXT, "PEM file of the certificate that is shown to the server", {
      hocon: property("sslcert", "sslCert"),
    }),
    key("sslkey", TEXT, "its private key, PEM in PKCS#8", { hocon: property("sslkey", "sslKey") }),
  ]);
}
