/**
 * The embedded store. One connection; transactions and single statements take turns. Transactions whose rows would come again
 * share commits.
 */
import { basename } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Host } from "../host/host.ts";
import { migrateStore, type StoreMigrations } from "./migrations.ts";
import { asUnwritable, copyDatabase, isSqliteDamage, setSynced, unwritableBy } from "./open-database.ts";
import { SettledLosses } from "./settled-losses.ts";
import { SharedCommits } from "./shared-commits.ts";
import type { Sql, SqlRow, SqlValue, Store, TransactionOptions } from "./store.ts";
import { StoreUnwritable } from "./store-errors.ts";
import { WalSync } from "./wal-sync.ts";

export interface SqliteStoreOptions {
  /** Called once, when a statement finds the file damaged. */
  readonly onDamage?: (reason: string) => void;
  /** If given, repeatable transactions share commits. */
  readonly host?: Pick<Host, "files" | "timers">;
}

/** Runs the migrations that the database lacks. */
export async function openSqliteStore(
  database: DatabaseSync,
  plan: StoreMigrations<Sql>,
  options: SqliteStoreOptions = {},
): Promise<SqliteStore> {
  const store = new SqliteStore(database, options);
  try {
    await migrateStore(store, plan);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Statements are few and written in our source; this only guards against a mistake. */
const MAX_PREPARED = 1000;

export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  /** Null for a database in memory. */
  readonly #wal: WalSync | null;
  readonly #prepared = new Map<string, StatementSync>();
  /** The end of the queue, and its length. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isSynced = true;
  #unwritable: string | null = null;
  #isTrying = false;
  #copying: Promise<void> = Promise.resolve();

  /** The damage of its file that a statement has found; no later success makes it go away. */
  #damage: string | null = null;
  readonly #onDamage: (reason: string) => void;
  /** Null if every transaction has a commit of its own. */
  readonly #shared: SharedCommits | null;
  /** Rows that were changed so far. */
  #changes = 0;
  readonly #settled = new SettledLosses();

  constructor(database: DatabaseSync, { onDamage = () => undefined, host }: SqliteStoreOptions = {}) {
    this.#database = database;
    const path = database.location();
    this.#wal = path === null ? null : new WalSync(path);
    this.#onDamage = onDamage;
    const onTime = () => void this.#queue(() => this.#commitShared()).catch(() => undefined);
    this.#shared = host === undefined ? null : new SharedCommits({ database, host, onTime });
  }

  readonly all = (statement: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    this.#inTurn(() => {
      this.#checkSettled();
      return this.#all(statement, parameters);
    });

  readonly get = (statement: string, ...parameters: readonly SqlValue[]): Promise<SqlRow | undefined> =>
    this.#inTurn(() => {
      this.#checkSettled();
      return this.#get(statement, parameters);
    });

  readonly run = (statement: string, ...parameters: readonly SqlValue[]): Promise<number> =>
    this.#inTurn(() => {
      this.#commitShared();
      return this.#run(statement, parameters);
    });

  readonly transaction = async <T>(
    work: (sql: Sql) => Promise<T>,
    { repeatable = false, seenBeforeSynced = false }: TransactionOptions = {},
  ): Promise<T> => {
    const wal = seenBeforeSynced && !repeatable ? this.#wal : null;
    // The sync is asked for before the next in the queue, which may be the store's end.
    const { result, synced } = await this.#queue(async () => ({
      result: await this.#transact(work, { repeatable, synced: !repeatable && wal === null }),
      synced: wal === null ? null : this.#synced(wal),
    }));
    await synced;
    return result;
  };

  readonly losses = async (): Promise<number> => this.#shared?.losses ?? 0;

  readonly onLoss = (found: () => void): void => this.#shared?.onLoss(found);

  readonly settleLosses = (losses: number): void => this.#settled.settle(losses);

  readonly unwritable = (): string | null => {
    if (!this.#isTrying) {
      this.#isTrying = true;
      const done = () => {
        this.#isTrying = false;
      };
      this.run("update store_version set version = version").then(done, done);
    }
    return this.#damage ?? this.#unwritable;
  };

  readonly copyTo = async (path: string): Promise<void> => {
    // The copy begins between two transactions, and goes on beside later ones.
    const { copying } = await this.#queue(() => {
      this.#commitShared();
      return { copying: copyDatabase(this.#database, path) };
    });
    this.#copying = copying.catch(() => undefined);
    await copying;
  };

  readonly close = async (): Promise<void> => {
    await this.#queue(() => this.#commitShared()).catch(() => undefined);
    await this.#copying;
    await this.#wal?.close();
    if (this.#database.isOpen) this.#database.close();
  };

  /** A single statement never runs in the middle of a transaction: it takes its place in the queue. */
  async #inTurn<T>(work: () => T): Promise<T> {
    return this.#waiting === 0 ? work() : this.#queue(work);
  }

  /** First come, first served. */
  #queue<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
    };
    this.#last = done.then(leave, leave);
    return done;
  }

  /** Statements of a transaction. */
  readonly #inside: Sql = {
    all: async (statement, ...parameters) => this.#all(statement, parameters),
    get: async (statement, ...parameters) => this.#get(statement, parameters),
    run: async (statement, ...parameters) => this.#run(statement, parameters),
  };

  async #transact<T>(
    work: (sql: Sql) => Promise<T>,
    { repeatable, synced }: { readonly repeatable: boolean; readonly synced: boolean },
  ): Promise<T> {
    const shared = this.#shared;
    // While the disk takes nothing, each transaction is told so.
    if (synced || shared === null || this.#unwritable !== null || !shared.hasRoom) {
      this.#commitShared();
      return this.#transactAlone(work, synced);
    }
    try {
      if (!shared.isOpen) this.#sync(false);
      const result = await shared.run(() => work(this.#inside));
      if (repeatable) shared.add();
      else shared.commit();
      return result;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #commitShared(): void {
    try {
      this.#shared?.commit();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #checkSettled(): void {
    this.#settled.check(this.#shared?.losses ?? 0, "the disk did not take the last commits");
  }

  async #transactAlone<T>(work: (sql: Sql) => Promise<T>, synced: boolean): Promise<T> {
    try {
      this.#sync(synced);
      this.#database.exec("begin immediate");
      const before = this.#changes;
      const result = await work(this.#inside);
      this.#database.exec("commit");
      // A full disk takes what changes nothing.
      if (this.#changes > before) this.#unwritable = null;
      return result;
    } catch (error) {
      // A full disk, among other errors, has already ended the transaction: a failing rollback would hide it.
      if (this.#database.isTransaction) this.#database.exec("rollback");
      throw this.#failed(error);
    }
  }

  async #synced(wal: WalSync): Promise<void> {
    try {
      await wal.sync();
    } catch (error) {
      const unwritable = unwritableBy(error as Error, this.#database.location());
      this.#unwritable = unwritable.reason;
      throw unwritable;
    }
  }

  #failed(given: unknown): unknown {
    if (isSqliteDamage(given)) this.#noteDamage((given as Error).message);
    const error = asUnwritable(given, this.#database.location());
    if (error instanceof StoreUnwritable) this.#unwritable = error.reason;
    return error;
  }

  #noteDamage(reason: string): void {
    if (this.#damage !== null) return;
    this.#damage = `${basename(this.#database.location() ?? "the store")} is damaged: ${reason}`;
    this.#onDamage(reason);
  }

  /** A synced commit syncs earlier commits as well. */
  #sync(synced: boolean): void {
    if (synced === this.#isSynced) return;
    setSynced(this.#database, synced);
    this.#isSynced = synced;
  }

  #all(statement: string, parameters: readonly SqlValue[]): readonly SqlRow[] {
    try {
      return this.#prepare(statement).all(...parameters) as readonly SqlRow[];
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #get(statement: string, parameters: readonly SqlValue[]): SqlRow | undefined {
    try {
      return this.#prepare(statement).get(...parameters) as SqlRow | undefined;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #run(statement: string, parameters: readonly SqlValue[]): number {
    if (this.#database.isTransaction) {
      const changes = Number(this.#prepare(statement).run(...parameters).changes);
      this.#changes += changes;
      return changes;
    }
    try {
      this.#sync(true);
      const { changes } = this.#prepare(statement).run(...parameters);
      this.#unwritable = null;
      return Number(changes);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #prepare(statement: string): StatementSync {
    let prepared = this.#prepared.get(statement);
    if (prepared === undefined) {
      if (this.#prepared.size >= MAX_PREPARED) throw new Error("too many different statements");
      prepared = this.#database.prepare(toSqlite(statement));
      this.#prepared.set(statement, prepared);
    }
    return prepared;
  }
}

/** SQLite prepares a statement with a bound limit anew for each call, unless the limit is an expression. */
function toSqlite(statement: string): string {
  return statement.replace(/\$(\d+)/g, "?$1").replace(/\blimit \?/g, "limit +?");
}
