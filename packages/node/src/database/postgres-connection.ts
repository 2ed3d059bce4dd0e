/** One session with a PostgreSQL server. Statements run one after the other; one without an answer ends the session. */
import type { Socket } from "node:net";
import type { Client } from "pg";
import { errorCodeOf } from "../host/error-code.ts";
import type { Host, Timers } from "../host/host.ts";
import { waitAtMost } from "../waiting/deadline.ts";
import type { PostgresConfig, PostgresPlace } from "./postgres-config.ts";
import { describePostgresPlace, isAboutTls, isSqlState } from "./postgres-failures.ts";
import {
  ANSWER_MARGIN_MILLISECONDS,
  CONNECT_MILLISECONDS,
  DISCONNECT_MILLISECONDS,
} from "./postgres-limits.ts";
import { encodeParameter, quoteName, resultTypes } from "./postgres-sql.ts";
import { listTlsAttempts } from "./postgres-ssl.ts";
import type { SqlRow, SqlValue } from "./store.ts";
import { StoreUnavailable } from "./store-errors.ts";

export interface StatementResult {
  readonly rows: readonly SqlRow[];
  /** The number of changed rows. */
  readonly changes: number;
}

export interface Statement {
  readonly text: string;
  /** A statement with a name is prepared once a session. */
  readonly name?: string;
  readonly parameters?: readonly SqlValue[];
}

export class PostgresConnection {
  readonly #client: Client;
  readonly #timers: Timers;
  #last: Promise<unknown> = Promise.resolve();
  #lost: Error | null = null;
  #answerMilliseconds = CONNECT_MILLISECONDS;
  #warnings = 0;

  constructor(client: Client, timers: Timers) {
    this.#client = client;
    this.#timers = timers;
    client.on("error", (error) => {
      this.#lost ??= error;
    });
    client.on("notice", ({ severity }) => {
      if (severity !== "NOTICE" && severity !== "INFO") this.#warnings++;
    });
    client.on("end", () => {
      this.#lost ??= new Error("the connection has ended");
    });
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** The server's warnings so far. It warns of a commit that was cancelled while it waited for standbys, and calls it a success. */
  get warnings(): number {
    return this.#warnings;
  }

  /** The server's limit of a statement's time. */
  async limitStatements(milliseconds: number): Promise<void> {
    await this.script(`set statement_timeout = ${milliseconds}`);
    this.#answerMilliseconds = milliseconds + ANSWER_MARGIN_MILLISECONDS;
  }

  query({ text, name, parameters = [] }: Statement): Promise<StatementResult> {
    return this.#inTurn(async () => {
      const values = parameters.map(encodeParameter);
      const { rows, rowCount } = await this.#client.query({
        text,
        values,
        ...(name === undefined ? {} : { name }),
      });
      return { rows: rows as readonly SqlRow[], changes: rowCount ?? 0 };
    });
  }

  /** Several statements in one message. */
  script(text: string): Promise<void> {
    return this.#inTurn(async () => void (await this.#client.query(text)));
  }

  /** Calls back with each notification of the channel. */
  async listen(channel: string, heard: () => void): Promise<void> {
    this.#client.on("notification", (notification) => {
      if (notification.channel === channel) heard();
    });
    await this.script(`listen ${quoteName(channel)}`);
  }

  /** Cuts the connection: its session ends, and a transaction with it. */
  cut(reason: string): void {
    this.#lost ??= new Error(reason);
    socketOf(this.#client).destroy();
  }

  async close(): Promise<void> {
    if (!this.isLost) await waitAtMost(this.#client.end(), DISCONNECT_MILLISECONDS, this.#timers);
    this.cut("the connection was closed");
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#ask(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost !== null) throw this.#lost;
    const limit = this.#answerMilliseconds;
    const timer = this.#timers.set(() => this.cut(`no answer came in ${limit} ms`), limit);
    try {
      return await work();
    } catch (error) {
      // After a fatal error the server closes the connection.
      if (isFatal(error)) this.cut(error.message);
      throw this.#lost ?? error;
    } finally {
      this.#timers.clear(timer);
    }
  }
}

interface ConnectParts {
  readonly host: Host;
  readonly session: string;
}

/** Opens a session. Of several servers, the first that answers and is no standby is taken. */
export async function connectPostgres(
  config: PostgresConfig,
  parts: ConnectParts,
): Promise<PostgresConnection> {
  const { otherPlaces = [] } = config;
  if (otherPlaces.length === 0) return connectTo(config, parts);
  const failures: unknown[] = [];
  for (const { host, port } of [config, ...otherPlaces]) {
    let connection: PostgresConnection | undefined;
    try {
      connection = await connectTo({ ...config, host, port }, parts);
      await checkPrimary(connection, { host, port });
      return connection;
    } catch (error) {
      connection?.cut("another server is tried");
      failures.push(error);
    }
  }
  // A server that answered says more than one that did not.
  throw failures.find((error) => isSqlState(errorCodeOf(error))) ?? failures[0];
}

/** A standby's rows may be old. */
export async function checkPrimary(connection: PostgresConnection, place: PostgresPlace): Promise<void> {
  const { rows } = await connection.query({ text: "select pg_is_in_recovery() as is_standby" });
  if (rows[0]?.["is_standby"] === 0n) return;
  throw new StoreUnavailable(`the database's server at ${describePostgresPlace(place)} is a standby`, {
    reason: "the database's server is a standby",
  });
}

/** `pg` is loaded here, so that only nodes with PostgreSQL load it. */
async function connectTo(
  config: PostgresConfig,
  { host, session }: ConnectParts,
): Promise<PostgresConnection> {
  const { default: pg } = await import("pg");
  let failure: unknown;
  for (const ssl of listTlsAttempts(config, host)) {
    const client = new pg.Client({
      host: config.host,
      port: config.port,
      user: config.user,
      password: config.password,
      database: config.database,
      ssl,
      application_name: session,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
      types: resultTypes as never,
    });
    const connection = new PostgresConnection(client, host.timers);
    try {
      await client.connect();
      return connection;
    } catch (thrown) {
      connection.cut("the connection failed");
      const error = named(thrown);
      failure ??= error;
      if (!isAboutTls(error)) throw error;
    }
  }
  throw failure;
}

/** Codes for errors to which pg gives none. */
const CODES: Readonly<Record<string, string>> = {
  "The server does not support SSL connections": "NO_TLS",
  "timeout expired": "ETIMEDOUT",
};

/** PgBouncer passes the server's words on with a code of its own. */
const MISSING_DATABASE = /\bdatabase "[^"]*" does not exist|^no such database:/;

function named(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isMissing = errorCodeOf(error) === "08P01" && MISSING_DATABASE.test(error.message);
  const code = isMissing ? "3D000" : CODES[error.message];
  return code === undefined ? error : Object.assign(error as Error, { code });
}

/** True for errors after which the server ends the session. */
function isFatal(error: unknown): error is Error {
  return /^(?:57P0[1-5]|25P03|08...)$/.test(errorCodeOf(error) ?? "");
}

function socketOf(client: Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}
