/**
 * The way to a PostgreSQL server. After a failed attempt to connect, others fail at once until a pause is over, so that
 * callers are not kept waiting and the server is not flooded.
 */
import type { Host } from "../host/host.ts";
import { Backoff } from "../waiting/backoff.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import { checkPrimary, connectPostgres, type PostgresConnection } from "./postgres-connection.ts";
import { asUnavailable } from "./postgres-failures.ts";
import {
  CONNECT_BACKOFF,
  IDLE_TRANSACTION_MILLISECONDS,
  KEEPALIVE_SECONDS,
  LOCK_MILLISECONDS,
  STATEMENT_MILLISECONDS,
} from "./postgres-limits.ts";
import { quoteName } from "./postgres-sql.ts";

export class PostgresServer {
  readonly config: PostgresConfig;
  /** The name of this process's sessions, different for each process. */
  readonly session: string;
  readonly #host: Host;
  readonly #backoff = new Backoff(CONNECT_BACKOFF);
  #failed: { readonly error: Error; readonly until: number } | null = null;

  constructor(config: PostgresConfig, host: Host, session: string) {
    this.config = config;
    this.session = session;
    this.#host = host;
  }

  /** A session of the node's schema; throws a `StoreUnavailable`. */
  async connect(prepare: (connection: PostgresConnection) => Promise<void>): Promise<PostgresConnection> {
    const { elapsedMilliseconds } = this.#host.clock;
    if (this.#failed !== null && elapsedMilliseconds() < this.#failed.until) throw this.#failed.error;
    let connection: PostgresConnection | undefined;
    try {
      connection = await connectPostgres(this.config, { host: this.#host, session: this.session });
      await connection.script(settingsOf(this.config.schema));
      await connection.limitStatements(STATEMENT_MILLISECONDS);
      await checkPrimary(connection, this.config);
      await prepare(connection);
      this.#failed = null;
      this.#backoff.reset();
      return connection;
    } catch (thrown) {
      connection?.cut("its preparation failed");
      const error = asUnavailable(thrown, this.config);
      this.#failed = { error, until: elapsedMilliseconds() + this.#backoff.next() };
      throw error;
    }
  }
}

function settingsOf(schema: string): string {
  const { idle, interval, count } = KEEPALIVE_SECONDS;
  const settings = {
    search_path: quoteName(schema),
    client_encoding: "'UTF8'",
    standard_conforming_strings: "on",
    bytea_output: "hex",
    extra_float_digits: "3",
    lock_timeout: LOCK_MILLISECONDS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MILLISECONDS,
    default_transaction_isolation: "'repeatable read'",
    tcp_keepalives_idle: idle,
    tcp_keepalives_interval: interval,
    tcp_keepalives_count: count,
  };
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value};`)
    .join("\n");
}
