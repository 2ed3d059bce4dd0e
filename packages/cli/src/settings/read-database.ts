/** `persistence` as a PostgreSQL database. */
import type { PostgresConfig, PostgresSsl } from "@callsign/node";
import type { KeyReader } from "./key-reader.ts";

interface DatabaseOptions {
  readonly databaseName: string;
  readonly schema: string;
  readonly migrationId: number;
}

const PLACEHOLDER = "MIGRATION_ID";

/** Undefined without a host: then stores are SQLite files in the data folder. */
export function readDatabase(reader: KeyReader, options: DatabaseOptions): PostgresConfig | undefined {
  const host = reader.text("persistence.host");
  const ssl = readSsl(reader);
  if (host === undefined) {
    for (const name of ["port", "user", "databaseName", "schema", "secretName"]) {
      const path = `persistence.${name}`;
      if (reader.find(path) !== undefined) {
        reader.warnings.push(
          `${path} has no effect without persistence.host: stores are SQLite files in the data folder`,
        );
        break;
      }
    }
    return undefined;
  }
  const password = reader.text("persistence.password");
  if (password === undefined) {
    const secret = reader.text("persistence.secretName") ?? "postgres-secrets";
    const fix = `Mount ${secret}/postgresPassword and give --secrets DIR, or set the environment variable SPLICE_DB_PASSWORD`;
    reader.require("persistence.password", fix);
  }
  const name = reader.text("persistence.databaseName") ?? options.databaseName;
  return {
    host,
    port: reader.number("persistence.port") ?? 5432,
    user: reader.text("persistence.user") ?? "cnadmin",
    password: password ?? "",
    database: formatDatabaseName(name, options.migrationId),
    schema: reader.text("persistence.schema") ?? options.schema,
    ...(ssl === undefined ? {} : { ssl }),
  };
}

export function formatDatabaseName(name: string, migrationId: number): string {
  return name.replaceAll(PLACEHOLDER, String(migrationId));
}

/** `ssl: true` alone checks authority and host, as PostgreSQL's Java driver does. */
function readSsl(reader: KeyReader): PostgresSsl | undefined {
  const file = (name: string) => reader.text(`persistence.${name}`);
  const given = file("sslmode") as PostgresSsl["mode"] | undefined;
  const isWanted = reader.flag("persistence.ssl");
  const [rootCertFile, certFile, keyFile] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  if (isWanted === false && given !== undefined && given !== "disable") {
    reader.refuse(
      "persistence.ssl",
      `contradicts persistence.sslmode ${given}`,
      "Set ssl to true, or remove sslmode",
    );
  }
  if (certFile !== undefined && keyFile === undefined)
    reader.require("persistence.sslkey", "Give the private key of persistence.sslcert");
  if (keyFile !== undefined && certFile === undefined)
    reader.require("persistence.sslcert", "Give the certificate of persistence.sslkey");
  const hasFiles = rootCertFile !== undefined || certFile !== undefined;
  const mode =
    given ??
    (isWanted === true
      ? "verify-full"
      : isWanted === false
        ? "disable"
        : hasFiles
          ? "verify-full"
          : undefined);
  if (mode === undefined) return undefined;
  return {
    mode,
    ...(rootCertFile === undefined ? {} : { rootCertFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}
