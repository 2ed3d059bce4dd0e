/** A PostgreSQL database, as the operator's values name it. */
export interface PostgresConfig {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database's name. A missing database is created. */
  readonly database: string;
  readonly schema: string;
  readonly ssl?: PostgresSsl;
}

/** The modes of libpq, and PEM files. */
export interface PostgresSsl {
  readonly mode: "disable" | "allow" | "prefer" | "require" | "verify-ca" | "verify-full";
  readonly rootCertFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}
