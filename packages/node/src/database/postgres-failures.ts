/**
 * The meaning of PostgreSQL's errors. Failures that time or an operator mends while the process runs are a
 * `StoreUnavailable` or a `StoreUnwritable`; at the start, those that need another configuration are a `DatabaseRefused`.
 */
import { errorCodeOf } from "../host/error-code.ts";
import type { PostgresConfig, PostgresPlace } from "./postgres-config.ts";
import { DatabaseDamaged, DatabaseRefused, StoreUnavailable, StoreUnwritable } from "./store-errors.ts";

/** PostgreSQL's own codes have five characters each. */
export function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code);
}

/** "PostgreSQL at db:5432, database "participant_0", user "cnadmin"". */
export function describeDatabase(config: PostgresConfig): string {
  const places = [config, ...(config.otherPlaces ?? [])].map(describePostgresPlace);
  return `PostgreSQL at ${places.join(" or ")}, database "${config.database}", user "${config.user}"`;
}

export function describePostgresPlace({ host, port }: PostgresPlace): string {
  return host.startsWith("/") ? host : `${host}:${port}`;
}

/** Codes, or classes of them, and the reason that they mean. */
type Reasons = readonly (readonly [RegExp, string])[];

/** Failures of single statements. The store takes no writes; reads may go on. */
const UNWRITABLE: Reasons = [
  [/^53100$/, "the database's disk is full"],
  [/^53/, "the database lacks memory or connections"],
  [/^40/, "a transaction conflicted with another one"],
  [/^55P03$/, "another session holds a lock for too long"],
  [/^25006$/, "the database takes no writes: its server is a standby, or read-only"],
  [/^57014$/, "a statement took too long"],
  [/^42501$/, "the database's user lacks a right"],
  [/^58/, "the database's disk fails"],
];

/** Failures of a connection that the server names. */
const UNAVAILABLE: Reasons = [
  [/^57P03$/, "the database is starting or stopping"],
  [/^57P/, "the database has closed the connection"],
  [/^53300$/, "the database has too many connections"],
  [/^08/, "the database does not answer"],
  [/^28/, "the database refuses the user or its password"],
  [/^3D000$/, "the database does not exist"],
];

const NO_ANSWER = "the database does not answer";

/** The error that a failed statement means to callers; the same error if it is a mistake in the statement. */
export function asStoreFailure(error: unknown, config: PostgresConfig, isLost: boolean): unknown {
  if (error instanceof StoreUnwritable) return error;
  if (isLost) return asUnavailable(error, config);
  const code = errorCodeOf(error);
  const reason = findReason(UNWRITABLE, code);
  if (reason !== undefined)
    return new StoreUnwritable(describeFailure(error, config, reason), { reason, cause: error });
  if (code === "42P01" || code === "42703" || code === "3F000") {
    return new DatabaseDamaged(
      `${describeDatabase(config)}: schema "${config.schema}" lacks a table or column that its version must have (${textOf(error)}): ` +
        "it was changed by hand or restored in part. Restore it whole",
      { cause: error },
    );
  }
  return error;
}

/** A failure to connect, or of a connection, that may pass. */
export function asUnavailable(error: unknown, config: PostgresConfig): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const reason = findReason([...UNAVAILABLE, ...UNWRITABLE], errorCodeOf(error)) ?? NO_ANSWER;
  return new StoreUnavailable(describeFailure(error, config, reason), { reason, cause: error });
}

/** The error of a failed start: one that no waiting mends, or a `StoreUnavailable`. */
export function asStartFailure(error: unknown, config: PostgresConfig): unknown {
  const code = errorCodeOf(error);
  const isPassing = !isSqlState(code) || findReason([...UNAVAILABLE, ...UNWRITABLE], code) !== undefined;
  if (error instanceof DatabaseDamaged || error instanceof StoreUnwritable) return error;
  return asRefused(error, config) ?? (isPassing ? asUnavailable(error, config) : error);
}

/** The `DatabaseRefused` that a failure to connect means at the start; null if it may pass. */
function asRefused(error: unknown, config: PostgresConfig): DatabaseRefused | null {
  if (error instanceof DatabaseRefused) return error;
  const reason = findReason(REFUSALS, errorCodeOf(error));
  if (reason === undefined) return null;
  return new DatabaseRefused(describeFailure(error, config, reason), { cause: error });
}

const REFUSALS: Reasons = [
  [/^28P01$/, "the password is wrong. Check the secret's postgresPassword"],
  [/^28/, "the server refuses the user. Check the user, its rights to log in, and the server's pg_hba.conf"],
  [/^42501$/, "the user lacks a right"],
  [
    /^(?:SELF_SIGNED|UNABLE_TO|CERT_|DEPTH_ZERO)/,
    "the server's certificate is not of an authority in sslrootcert",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the server's certificate is for another host"],
  [/^ERR_(?:SSL|TLS)_/, "the server refuses the TLS handshake. Check sslcert and sslkey"],
  [/^NO_TLS$/, "the server has no TLS. Turn it on there, or give another sslmode"],
];

/** True if another attempt, with or without TLS, may succeed where this one failed. */
export function isAboutTls(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (isSqlState(code)) return code === "28000";
  return (
    code === undefined || !/^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/.test(code)
  );
}

function findReason(reasons: Reasons, code: string | undefined): string | undefined {
  return code === undefined ? undefined : reasons.find(([pattern]) => pattern.test(code))?.[1];
}

function describeFailure(error: unknown, config: PostgresConfig, reason: string): string {
  return `${describeDatabase(config)}: ${reason}: ${textOf(error)}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
