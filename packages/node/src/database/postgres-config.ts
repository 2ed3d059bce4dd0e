/** The place of a server. */
export interface PostgresPlace {
  readonly host: string;
  readonly port: number;
}

/** A PostgreSQL database, as the operator's values name it. */
export interface PostgresConfig extends PostgresPlace {
  /** Further servers of the same database, tried in this order. With several servers, the one that takes writes is used. */
  readonly otherPlaces?: readonly PostgresPlace[];
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
