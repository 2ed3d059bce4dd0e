/** `persistence` of a role: PostgreSQL if there is a host, SQLite in the data folder otherwise. */
import { type KeyTable, key, under } from "./key.ts";
import { FLAG, TEXT } from "./key-type.ts";

interface DatabaseDefaults {
  readonly databaseName: string;
  readonly schema: string;
  /** The names of Splice's variables for this role. */
  readonly variables: Readonly<
    Record<"server" | "port" | "user" | "password" | "database" | "schema", string>
  >;
  /** The storage's block in HOCON. */
  readonly storage: string;
}

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

export function databaseKeys({ databaseName, schema, variables, storage }: DatabaseDefaults): KeyTable {
  const property = (...names: readonly string[]) =>
    names.map((name) => `${storage}.config.properties.${name}`);
  return under("persistence", [
    key("host", TEXT, "the PostgreSQL server", {
      otherwise: "SQLite in `callsign.dataFolder`",
      variables: [variables.server, "SPLICE_DB_SERVER"],
      hocon: property("serverName"),
    }),
    key("port", { kind: "whole", min: 1, max: 65_535 }, "its port", {
      otherwise: "`5432`",
      variables: [variables.port, "SPLICE_DB_PORT"],
      hocon: property("portNumber"),
    }),
    key("user", TEXT, "the database user", {
      otherwise: "`cnadmin`",
      variables: [variables.user, "SPLICE_DB_USER"],
      hocon: property("user"),
    }),
    key("secretName", TEXT, "the secret with its password, under `postgresPassword`", {
      otherwise: "`postgres-secrets`",
    }),
    key("password", { kind: "text", max: 1000 }, "its password, where there are no mounted secrets", {
      isSecret: true,
      variables: [variables.password, "SPLICE_DB_PASSWORD"],
      hocon: property("password"),
      mounted: { name: "postgres-secrets", key: "postgresPassword", nameFrom: "persistence.secretName" },
    }),
    key(
      "databaseName",
      { kind: "text", max: 63 },
      "the database, made if it is missing; `MIGRATION_ID` in it stands for the migration id",
      { otherwise: `\`${databaseName}\``, variables: [variables.database], hocon: property("databaseName") },
    ),
    key("schema", { kind: "text", max: 63 }, "the schema", {
      otherwise: `\`${schema}\``,
      variables: [variables.schema],
      hocon: property("currentSchema"),
    }),
    key("ssl", FLAG, "whether TLS is spoken to the server; alone it means `sslmode` `verify-full`", {
      otherwise: "by `sslmode`",
      hocon: property("ssl"),
    }),
    key("sslmode", { kind: "choice", of: SSL_MODES }, "how the server is checked, as for libpq", {
      otherwise: "`prefer`, `verify-full` with `ssl: true`",
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
