/** `persistence` as a PostgreSQL database. */
import type { PostgresConfig, PostgresSsl } from "@callsign/node";
import type { KeyReader } from "./key-reader.ts";

interface DatabaseOptions {
  readonly databaseName: string;
  readonly schema: string;
  readonly migrationId: number;
}

interface LoginOptions extends DatabaseOptions {
  /** The block of keys. */
  readonly prefix: string;
  /** Where the password is looked for by default. */
  readonly secretName: string;
  readonly variable: string;
}

const PLACEHOLDER = "MIGRATION_ID";

/** Undefined without a host: then stores are SQLite files in the data folder. */
export function readDatabase(reader: KeyReader, options: DatabaseOptions): PostgresConfig | undefined {
  const host = reader.text("persistence.host");
  if (host === undefined) {
    readSsl(reader, "persistence");
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
  const prefix = "persistence";
  const password = { secretName: "postgres-secrets", variable: "SPLICE_DB_PASSWORD" };
  return { host, ...readLogin(reader, { ...options, ...password, prefix }) };
}

/** Everything but the server. */
export function readLogin(reader: KeyReader, options: LoginOptions): Omit<PostgresConfig, "host"> {
  const { prefix, databaseName, schema, migrationId } = options;
  const at = (name: string) => `${prefix}.${name}`;
  const ssl = readSsl(reader, prefix);
  const password = reader.text(at("password"));
  if (password === undefined) {
    const secret = reader.text(at("secretName")) ?? options.secretName;
    const fix = `Mount ${secret}/postgresPassword and give --secrets DIR, or set the environment variable ${options.variable}`;
    reader.require(at("password"), fix);
  }
  return {
    port: reader.number(at("port")) ?? 5432,
    user: reader.text(at("user")) ?? "cnadmin",
    password: password ?? "",
    database: formatDatabaseName(reader.text(at("databaseName")) ?? databaseName, migrationId),
    schema: reader.text(at("schema")) ?? schema,
    ssl,
  };
}

export function formatDatabaseName(name: string, migrationId: number): string {
  return name.replaceAll(PLACEHOLDER, String(migrationId));
}

/** `ssl: true` alone checks authority and host, as PostgreSQL's Java driver does. Without any key libpq's default holds. */
function readSsl(reader: KeyReader, prefix: string): PostgresSsl {
  const file = (name: string) => reader.text(`${prefix}.${name}`);
  const given = file("sslmode") as PostgresSsl["mode"] | undefined;
  const isWanted = reader.flag(`${prefix}.ssl`);
  const [rootCertFile, certFile, keyFile] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  if (isWanted === false && given !== undefined && given !== "disable") {
    reader.refuse(
      `${prefix}.ssl`,
      `contradicts ${prefix}.sslmode ${given}`,
      "Set ssl to true, or remove sslmode",
    );
  }
  if (certFile !== undefined && keyFile === undefined)
    reader.require(`${prefix}.sslkey`, `Give the private key of ${prefix}.sslcert`);
  if (keyFile !== undefined && certFile === undefined)
    reader.require(`${prefix}.sslcert`, `Give the certificate of ${prefix}.sslkey`);
  const hasFiles = rootCertFile !== undefined || certFile !== undefined;
  const byFlag = isWanted === false ? "disable" : isWanted || hasFiles ? "verify-full" : "prefer";
  return {
    mode: given ?? byFlag,
    ...(rootCertFile === undefined ? {} : { rootCertFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}
