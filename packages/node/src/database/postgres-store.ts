/**
 * The store on a PostgreSQL server. One session writes, and a few others serve single reads, which see the last commit.
 * While the server is gone, reads and writes fail with a `StoreUnavailable`; they succeed again when it is back.
 */
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { migrateStore, type StoreMigrations } from "./migrations.ts";
import type { PostgresConfig } from "./postgres-config.ts";
import type { PostgresConnection, Statement } from "./postgres-connection.ts";
import { MAX_STATEMENTS, OPEN_PATIENCE_MILLISECONDS } from "./postgres-limits.ts";
import { openPatiently } from "./postgres-opening.ts";
import { PostgresReaders } from "./postgres-readers.ts";
import { PostgresServer } from "./postgres-server.ts";
import { setUpPostgres } from "./postgres-setup.ts";
import { isDefinition, toPostgres } from "./postgres-sql.ts";
import { sqlOn } from "./postgres-statements.ts";
import { PostgresWriter } from "./postgres-writer.ts";
import { SettledLosses } from "./settled-losses.ts";
import type { Sql, SqlRow, SqlValue, Store, TransactionOptions } from "./store.ts";
import { StoreUnwritable } from "./store-errors.ts";

export interface PostgresParts {
  readonly host: Host;
  readonly log: Log;
  /** The time for which a server that does not answer is waited for. */
  readonly patienceMilliseconds?: number;
}

/** Makes the database and its schema if they are missing, and runs the migrations that they lack. */
export async function connectPostgresStore(
  config: PostgresConfig,
  plan: StoreMigrations<Sql>,
  { host, log, patienceMilliseconds = OPEN_PATIENCE_MILLISECONDS }: PostgresParts,
): Promise<Store> {
  const session = `callsign ${plan.store} ${host.randomness.uuid()}`;
  return openPatiently({ host, log, patienceMilliseconds }, async () => {
    const store = new PostgresStore(config, { host, log, session });
    try {
      await setUpPostgres(config, { host, log, session, store: plan.store });
      await store.open(plan);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });
}

interface StoreParts {
  readonly host: Host;
  readonly log: Log;
  readonly session: string;
}

class PostgresStore implements Store {
  readonly #config: PostgresConfig;
  readonly #writer: PostgresWriter;
  readonly #readers: PostgresReaders;
  readonly #statements = new Map<string, Statement>();
  #unwritable: string | null = null;
  readonly #settled = new SettledLosses();
  #isTrying = false;
  #isClosed = false;

  constructor(config: PostgresConfig, { host, log, session }: StoreParts) {
    // Each has a way of its own: a writer without its lock does not keep others from reading.
    const newServer = () => new PostgresServer(config, host, session);
    this.#config = config;
    this.#writer = new PostgresWriter({ server: newServer(), host, log });
    this.#readers = new PostgresReaders(newServer(), async (connection) => {
      if (this.#settled.isUsed) await this.#writer.verify(connection);
    });
  }

  async open(plan: StoreMigrations<Sql>): Promise<void> {
    await this.#writer.connect();
    await migrateStore(this, plan);
    await this.#writer.endMigrations();
  }

  readonly all = (statement: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    this.#read((connection) => this.#sqlOf(connection).all(statement, ...parameters));

  readonly get = (statement: string, ...parameters: readonly SqlValue[]): Promise<SqlRow | undefined> =>
    this.#read((connection) => this.#sqlOf(connection).get(statement, ...parameters));

  readonly run = (statement: string, ...parameters: readonly SqlValue[]): Promise<number> =>
    this.transaction((sql) => sql.run(statement, ...parameters));

  readonly transaction = async <T>(
    work: (sql: Sql) => Promise<T>,
    { repeatable = false }: TransactionOptions = {},
  ): Promise<T> => {
    this.#checkOpen();
    try {
      const result = await this.#writer.transact((connection) => work(this.#sqlOf(connection)), !repeatable);
      this.#unwritable = null;
      return result;
    } catch (error) {
      throw this.#failed(error);
    }
  };

  readonly unwritable = (): string | null => {
    if (!this.#isTrying && !this.#isClosed) {
      this.#isTrying = true;
      const done = () => {
        this.#isTrying = false;
      };
      this.transaction(async () => undefined).then(done, done);
    }
    return this.#unwritable;
  };

  readonly connections = () => this.#readers.figures;

  readonly losses = async (): Promise<number> => {
    try {
      await this.#writer.connect();
    } catch (error) {
      throw this.#failed(error);
    }
    return this.#writer.losses;
  };

  readonly settleLosses = (losses: number): void => this.#settled.settle(losses);

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#writer.close();
    await this.#readers.close();
  };

  async #read<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    this.#checkOpen();
    // A migration's tables are read where they are made.
    if (this.#writer.isMigrating) return this.#writer.transact(work, true);
    try {
      return await this.#readers.read((connection) => {
        this.#settled.check(this.#writer.losses, "the server has lost commits");
        return work(connection);
      });
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    if (error instanceof StoreUnwritable) this.#unwritable = error.reason;
    return error;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error("the store is closed");
  }

  #sqlOf(connection: PostgresConnection): Sql {
    return sqlOn(connection, this.#config, (statement) => this.#prepare(statement));
  }

  #prepare(statement: string): Statement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    const text = toPostgres(statement);
    // Tables change while migrations run, and prepared statements would not notice.
    if (this.#writer.isMigrating || isDefinition(statement)) return { text };
    if (this.#statements.size >= MAX_STATEMENTS) throw new Error("too many different statements");
    const prepared = { text, name: `statement ${this.#statements.size}` };
    this.#statements.set(statement, prepared);
    return prepared;
  }
}
