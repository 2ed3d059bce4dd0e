/**
 * A host on which a whole role can crash in the middle of its work, as by kill -9: its databases roll back and close, its
 * connections break, its timers never fire again, and nothing that its code still does has an effect. The files are left
 * for the next start.
 */
import type { Server } from "node:http";
import { basename } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Host, type HttpClient, systemHost } from "@callsign/node";

export type Side = "before" | "after";

export interface EffectWatch {
  /**
   * Told of each change that stays, or is told to: a commit to a database, with the last statement that it keeps, the end of a
   * transaction that shares a commit, and a change of a file. True: the host crashes there.
   */
  readonly visit: (side: Side, effect: string) => boolean;
  /** Told of each statement that writes, also within a transaction. */
  readonly onWrite?: (statement: string) => void;
}

class Crashed extends Error {
  override readonly name = "Crashed";

  constructor() {
    super("the host has crashed");
  }
}

const NEVER = new Promise<never>(() => undefined);
const WRITES = /^\s*(insert|update|delete)\b/i;
const CHANGES_NOTHING = /^(pragma|begin|savepoint|rollback)/;
/** Of a transaction, or of one that shares it. */
const ENDS: ReadonlySet<string> = new Set(["commit", "release work"]);
const FILE_CHANGES: ReadonlySet<string> = new Set([
  "write",
  "openWrite",
  "remove",
  "move",
  "moveAll",
  "copy",
]);

export class CrashingHost {
  readonly host: Host;
  readonly #watch: EffectWatch;
  readonly #databases: DatabaseSync[] = [];
  readonly #servers: Server[] = [];
  readonly #clients: HttpClient[] = [];
  readonly #crashed = Promise.withResolvers<"crashed">();
  #isDead = false;

  constructor(watch: EffectWatch) {
    this.#watch = watch;
    const { timers, files, http } = systemHost;
    const unlessDead = (callback: () => void) => () => {
      if (!this.#isDead) callback();
    };
    const serve = <T extends Server>(server: T): T => {
      this.#servers.push(server);
      return server;
    };
    this.host = {
      ...systemHost,
      timers: {
        set: (callback, milliseconds) => timers.set(unlessDead(callback), milliseconds),
        clear: timers.clear,
        soon: (callback) => timers.soon(unlessDead(callback)),
      },
      files: this.#guard({
        ...files,
        openDatabase: (path, options) => this.#open(files.openDatabase(path, options)),
      }),
      http: {
        openClient: (options) => this.#connect(http.openClient(options)),
        createServer: (options) => serve(http.createServer(options)),
        createTlsServer: (options) => serve(http.createTlsServer(options) as unknown as Server) as never,
      },
    };
  }

  /** Resolves when it has crashed. */
  get crashed(): Promise<"crashed"> {
    return this.#crashed.promise;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  readonly crash = (): void => {
    if (this.#isDead) return;
    this.#isDead = true;
    // A transaction that is open is rolled back.
    for (const database of this.#databases) if (database.isOpen) database.close();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    for (const client of this.#clients) client.close();
    this.#crashed.resolve("crashed");
  };

  /** A crashed role has no files. */
  #guard<T extends object>(files: T): T {
    const guarded = Object.entries(files).map(([name, work]) => [
      name,
      (...given: readonly unknown[]) => {
        if (this.#isDead) throw new Crashed();
        const isChange = FILE_CHANGES.has(name);
        return isChange
          ? this.#keep(`${name} ${basename(String(given[0]))}`, () => work(...given))
          : work(...given);
      },
    ]);
    return Object.fromEntries(guarded) as T;
  }

  /** The work changes something that stays. */
  #keep<T>(effect: string, work: () => T): T {
    if (!this.#isDead && this.#watch.visit("before", effect)) this.crash();
    if (this.#isDead) throw new Crashed();
    const result = work();
    if (this.#watch.visit("after", effect)) this.crash();
    if (this.#isDead) throw new Crashed();
    return result;
  }

  #connect(client: HttpClient): HttpClient {
    this.#clients.push(client);
    return {
      fetch: (...call) => (this.#isDead ? NEVER : client.fetch(...call)),
      upgrade: (...call) => (this.#isDead ? NEVER : client.upgrade(...call)),
      close: () => client.close(),
    };
  }

  #open(database: DatabaseSync): DatabaseSync {
    this.#databases.push(database);
    let last: string | null = null;
    /** A statement that stands alone commits itself; one in a transaction waits for its commit. */
    const write = <T>(sql: string, work: () => T): T => {
      this.#watch.onWrite?.(sql);
      if (!database.isTransaction) return this.#keep(sql, work);
      last = sql;
      return work();
    };
    const prepare = (sql: string): StatementSync => {
      const statement = database.prepare(sql);
      if (!WRITES.test(sql)) return statement;
      const methods = ["run", "get", "all", "iterate"] as const;
      const writing = methods.map((name) => {
        const work = statement[name].bind(statement) as (...parameters: readonly unknown[]) => unknown;
        return [name, (...parameters: readonly unknown[]) => write(sql, () => work(...parameters))];
      });
      return replaced(statement, Object.fromEntries(writing));
    };
    const exec = (sql: string): void => {
      const work = () => database.exec(sql);
      if (sql === "begin immediate") last = null;
      if (CHANGES_NOTHING.test(sql) || (ENDS.has(sql) && last === null)) work();
      else if (ENDS.has(sql)) this.#keep(last ?? "", work);
      else write(sql, work);
    };
    return replaced(database, { prepare, exec });
  }
}

/** The object with other methods in place of some. Node's own take no other `this`. */
function replaced<T extends object>(target: T, methods: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(methods, key)) return methods[key as keyof T];
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
