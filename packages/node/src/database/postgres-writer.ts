/**
 * The session that writes. Transactions run one after the other, each with a token of its own that it leaves in the table
 * `store_commit`. If the connection is lost during a commit, the next session reads that table: the token says whether the
 * commit happened.
 */
import { errorCodeOf } from "../host/error-code.ts";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import { startDeadline } from "../waiting/deadline.ts";
import { KeyedQueue } from "../waiting/keyed-queue.ts";
import { sleep } from "../waiting/sleep.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { asStoreFailure } from "./postgres-failures.ts";
import {
  DOUBT_MILLISECONDS,
  LOCK_POLL_MILLISECONDS,
  MAX_WAITING,
  MIGRATION_MILLISECONDS,
  STATEMENT_MILLISECONDS,
} from "./postgres-limits.ts";
import { takeWriterLock } from "./postgres-lock.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { toPostgres } from "./postgres-sql.ts";
import { StoreInDoubt, StoreUnavailable, StoreUnwritable } from "./store-errors.ts";

export interface WriterParts {
  readonly server: PostgresServer;
  readonly host: Host;
  readonly log: Log;
}

type Outcome<T> =
  | { readonly kind: "kept"; readonly result: T }
  | { readonly kind: "in doubt"; readonly result: T; readonly error: unknown };

/** A commit without an answer. */
interface Doubt extends PromiseWithResolvers<"kept" | "lost" | "unknown"> {
  readonly token: string;
}

/** The one key of the writer's queue. */
const WRITES = "writes";
const TABLE = "create table if not exists store_commit (singleton bigint primary key, token text not null)";
const FIRST = "insert into store_commit (singleton, token) values (1, '') on conflict (singleton) do nothing";

export class PostgresWriter {
  readonly #parts: WriterParts;
  #connection: PostgresConnection | null = null;
  /** First come, first served. */
  readonly #queue = new KeyedQueue();
  #transactions = 0;
  #doubt: Doubt | null = null;
  /** The token of the last commit that is known; null before the first connection. */
  #committed: string | null = null;
  #resolving: Promise<void> | null = null;
  #losses = 0;
  #isMigrating = true;
  #isClosed = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Sets the limit of a statement's time to that of usual work: migrations may take longer. */
  async endMigrations(): Promise<void> {
    this.#isMigrating = false;
    await this.#connection?.limitStatements(STATEMENT_MILLISECONDS);
  }

  get losses(): number {
    return this.#losses;
  }

  get isMigrating(): boolean {
    return this.#isMigrating;
  }

  /** Counts a loss if commits were lost: a session that does not see the last commit makes the writer check its own. */
  async verify(connection: PostgresConnection): Promise<void> {
    if ((await readToken(connection)) !== this.#committed) await this.transact(async () => undefined, false);
  }

  /** Connects, and takes the lock. */
  connect(): Promise<void> {
    return this.#inTurn(async () => void (await this.#connected()));
  }

  async transact<T>(work: (connection: PostgresConnection) => Promise<T>, isSynced: boolean): Promise<T> {
    const token = `${this.#parts.server.session} ${++this.#transactions}`;
    const outcome = await this.#inTurn(() => this.#transact(work, token, isSynced));
    if (outcome.kind === "in doubt") {
      const resolving = this.#resolveDoubt(outcome.error);
      const end = () => {
        this.#resolving = null;
      };
      this.#resolving = resolving.then(end, end);
      await resolving;
    }
    return outcome.result;
  }

  /** Waits for the transactions that were asked for, and for the outcome of an interrupted commit. */
  async close(): Promise<void> {
    await this.#queue.idle();
    while (this.#resolving !== null) await this.#resolving;
    this.#isClosed = true;
    await this.#connection?.close();
    this.#connection = null;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#queue.count(WRITES) >= MAX_WAITING)
      throw new StoreUnavailable("too many writes wait for the database");
    return this.#queue.run(WRITES, work);
  }

  async #transact<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    token: string,
    isSynced: boolean,
  ): Promise<Outcome<T>> {
    const connection = await this.#begin(isSynced);
    let result: T;
    try {
      result = await work(connection);
    } catch (error) {
      throw await this.#rollBack(connection, error);
    }
    try {
      await connection.script(`update store_commit set token = '${token}'; commit`);
    } catch (error) {
      if (!connection.isLost) throw await this.#rollBack(connection, error);
      this.#doubt = { token, ...Promise.withResolvers() };
      return { kind: "in doubt", result, error };
    }
    this.#committed = token;
    return { kind: "kept", result };
  }

  /** A session that the server has ended meanwhile is replaced: nothing of the transaction has happened yet. */
  async #begin(isSynced: boolean): Promise<PostgresConnection> {
    const begin = isSynced ? "begin" : "begin; set local synchronous_commit = off";
    const first = await this.#connected();
    try {
      await first.script(begin);
      return first;
    } catch (error) {
      if (!first.isLost) throw await this.#rollBack(first, error);
    }
    const second = await this.#connected();
    try {
      await second.script(begin);
      return second;
    } catch (error) {
      throw await this.#rollBack(second, error);
    }
  }

  /** Returns the error that the failure means to the caller. */
  async #rollBack(connection: PostgresConnection, error: unknown): Promise<unknown> {
    // A server that takes no writes any more is left: its name may lead to another one by now.
    const cause = error instanceof StoreUnwritable ? error.cause : error;
    if (errorCodeOf(cause) === "25006") connection.cut("the server takes no writes");
    if (!connection.isLost)
      await connection.script("rollback").catch(() => connection.cut("a rollback failed"));
    return asStoreFailure(error, this.#parts.server.config, connection.isLost);
  }

  async #connected(): Promise<PostgresConnection> {
    if (this.#isClosed) throw new Error("the store is closed");
    if (this.#connection?.isLost === false) return this.#connection;
    this.#connection = null;
    const { server, host } = this.#parts;
    const connection = await server.connect(async (made) => {
      await takeWriterLock(made, { config: server.config, session: server.session, timers: host.timers });
      if (this.#isMigrating) await made.limitStatements(MIGRATION_MILLISECONDS);
      await keepCommitsSynced(made);
      await this.#readToken(made);
    });
    this.#connection = connection;
    return connection;
  }

  async #readToken(connection: PostgresConnection): Promise<void> {
    if (this.#committed === null) await connection.script(`${toPostgres(TABLE)}; ${FIRST}`);
    const token = await readToken(connection);
    const [doubt, committed] = [this.#doubt, this.#committed];
    this.#doubt = null;
    this.#committed = token;
    if (doubt?.token === token) return doubt.resolve("kept");
    const isAsLeft = committed === null || committed === token;
    doubt?.resolve(isAsLeft ? "lost" : "unknown");
    if (isAsLeft) return;
    this.#losses++;
    this.#parts.log.warn(
      { expected: committed, found: token },
      "the database is not as this process left it: its server lost commits in a crash or failover, or another process wrote",
    );
  }

  /** Resolves if the commit was kept. Other transactions go on meanwhile: the first to connect finds out. */
  async #resolveDoubt(error: unknown): Promise<void> {
    const { host, server, log } = this.#parts;
    const doubt = this.#doubt;
    if (doubt === null) throw asStoreFailure(error, server.config, true);
    log.warn({ error: String(error) }, "the connection to the database was lost during a commit");
    const { timers } = host;
    const deadline = startDeadline(DOUBT_MILLISECONDS, { timers });
    let outcome: Awaited<Doubt["promise"]> | undefined;
    void doubt.promise.then((found) => {
      outcome = found;
      deadline.clear();
    });
    while (outcome === undefined && !deadline.signal.aborted) {
      await this.connect().catch(() => sleep(LOCK_POLL_MILLISECONDS, { timers, signal: deadline.signal }));
      await Promise.resolve();
    }
    deadline.clear();
    if (outcome === "kept") return;
    const failure = asStoreFailure(error, server.config, true) as StoreUnavailable;
    if (outcome === "lost") throw failure;
    const { message, reason } = failure;
    throw new StoreInDoubt(`${message}; the write may have been kept`, { reason, cause: error });
  }
}

/** A server may be set to answer before a commit is on disk. */
async function keepCommitsSynced(connection: PostgresConnection): Promise<void> {
  await connection.script(
    "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
  );
}

async function readToken(connection: PostgresConnection): Promise<string> {
  const { rows } = await connection.query({ text: "select token from store_commit where singleton = 1" });
  return String(rows[0]?.["token"]);
}
