/** The sessions for single reads: a few, opened as they are needed. Reads beyond them wait their turn. */
import type { PostgresConnection } from "./postgres-connection.ts";
import { MAX_READERS, MAX_WAITING } from "./postgres-limits.ts";
import type { PostgresServer } from "./postgres-server.ts";
import type { ConnectionFigures } from "./store.ts";
import { StoreUnavailable } from "./store-errors.ts";

export class PostgresReaders {
  readonly #server: PostgresServer;
  readonly #verify: (connection: PostgresConnection) => Promise<void>;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /** Calls `verify` with each new session before it reads. */
  constructor(server: PostgresServer, verify: (connection: PostgresConnection) => Promise<void>) {
    this.#server = server;
    this.#verify = verify;
  }

  /** A read whose connection is lost is repeated once, on a new one. */
  async read<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      const first = this.#takeIdle();
      if (first !== undefined) {
        try {
          return await this.#use(first, work);
        } catch (error) {
          if (!first.isLost) throw error;
        }
      }
      return await this.#use(await this.#open(), work);
    } finally {
      this.#leave();
    }
  }

  get figures(): ConnectionFigures {
    return { used: this.#busy, idle: this.#idle.length, max: MAX_READERS, waiting: this.#waiting.length };
  }

  /** Call when no read is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #use<T>(
    connection: PostgresConnection,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(connection);
    } finally {
      if (!connection.isLost) this.#idle.push(connection);
    }
  }

  #takeIdle(): PostgresConnection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || !connection.isLost) return connection;
    }
  }

  #open(): Promise<PostgresConnection> {
    return this.#server.connect(async (connection) => {
      await connection.script("set default_transaction_read_only = on");
      await this.#verify(connection);
    });
  }

  async #enter(): Promise<void> {
    if (this.#busy < MAX_READERS) {
      this.#busy++;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new StoreUnavailable("too many reads wait for the database");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place to the read that waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy--;
    else next();
  }
}
