/**
 * The log on a PostgreSQL server, for SVs in many processes. Entries are trimmed in whole batches. Followers go on by themselves
 * when a lost connection is back, or when another server has taken over.
 */
import { hash } from "node:crypto";
import {
  Backoff,
  Bell,
  DatabaseDamaged,
  errorCodeOf,
  type Host,
  type Log,
  nextTurn,
  openPostgresSessions,
  type PostgresConfig,
  type PostgresConnection,
  type PostgresSessions,
  retry,
  type SqlRow,
  StoreUnavailable,
  StoreUnwritable,
} from "@callsign/node";
import { LOG_READ_BACKOFF, TRIMMED_AT_ONCE } from "../limits/limits.ts";
import { findDamagedEnd } from "./entry-hashes.ts";
import type { Appended, LogBatch, LogHead, LogPage, OrderedLog } from "./ordered-log.ts";
import { PostgresLogListener } from "./postgres-log-listener.ts";
import { headOf, readPages } from "./postgres-log-pages.ts";
import { findRisks, type PostgresRisk, warnOfRisks } from "./postgres-log-safety.ts";
import {
  FIND_FOLLOWERS,
  MOVE_ANCHOR,
  NAME_TIMELINE,
  postgresLogMigrations,
  READ_HEAD,
  READ_LAST_BATCH,
  READ_START,
} from "./postgres-log-schema.ts";
import { PostgresLogWriter } from "./postgres-log-writer.ts";
import { isLaterTimeline } from "./postgres-term.ts";
import { readingAlone } from "./reading-alone.ts";
import { refuseRisks } from "./refuse-risks.ts";

export interface PostgresLogParts {
  readonly host: Host;
  readonly log: Log;
  /** Settings of the server that the operator accepts although entries may be lost by them. Each is warned of at the start. */
  readonly acceptedRisks?: readonly PostgresRisk[];
  /** The time for which a server that does not answer is waited for. */
  readonly patienceMilliseconds?: number;
  /** Makes nothing, writes nothing, and leaves risks to the writers. False if omitted. */
  readonly readOnly?: boolean;
}

/** Makes the log's tables if they are missing. Refuses a server that may lose entries, and a log whose end is damaged. */
export async function connectPostgresLog(
  config: PostgresConfig,
  { acceptedRisks = [], ...parts }: PostgresLogParts,
): Promise<OrderedLog> {
  const { readOnly = false } = parts;
  const prepare = async (connection: PostgresConnection) => {
    if (!readOnly) refuseRisks(await findRisks(connection), acceptedRisks);
    // A session that waited for another one sees its rows.
    await connection.script("set default_transaction_isolation = 'read committed'");
  };
  const sessions = await openPostgresSessions(config, postgresLogMigrations, { ...parts, check: prepare });
  try {
    if (!readOnly) await sessions.read((connection) => warnOfRisks(connection, acceptedRisks, parts.log));
    await sessions.read((connection) => checkEnd(connection, config));
  } catch (error) {
    await sessions.close();
    throw error;
  }
  // Channels belong to a database, logs to a schema.
  const channel = `callsign log ${hash("sha256", config.schema).slice(0, 32)}`;
  const log = new PostgresLog({ ...parts, sessions, channel, prepare });
  return readOnly ? readingAlone(log) : log;
}

async function checkEnd(connection: PostgresConnection, { database, schema }: PostgresConfig): Promise<void> {
  const { rows } = await connection.query({ text: READ_LAST_BATCH });
  const [last] = rows;
  const place = `the log in database "${database}", schema "${schema}"`;
  if (last === undefined)
    throw new DatabaseDamaged(`${place} is damaged: it has no batch. Restore it from a copy`);
  if (last["is_anchor"] === 1n) return;
  const bytes = last["entry"];
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : undefined;
  const reason = findDamagedEnd(text, headOf(last));
  if (reason !== null) throw new DatabaseDamaged(`${place} is damaged: ${reason}. Restore it from a copy`);
}

interface Parts {
  readonly host: Host;
  readonly log: Log;
  readonly sessions: PostgresSessions;
  readonly channel: string;
  readonly prepare: (connection: PostgresConnection) => Promise<void>;
  readonly readOnly?: boolean;
}

interface ReadPages {
  readonly pages: readonly LogPage[];
  readonly connection: PostgresConnection;
}

class PostgresLog implements OrderedLog {
  readonly #parts: Parts;
  readonly #writer: PostgresLogWriter;
  readonly #listener: PostgresLogListener;
  /** Rings when the log may have changed. */
  readonly #changed: Bell;
  #changes = 0;
  readonly #closing = new AbortController();
  /** Sessions that show nothing that standbys lack. */
  readonly #trusted = new WeakSet<PostgresConnection>();

  constructor(parts: Parts) {
    const onChange = () => {
      this.#changes++;
      this.#changed.ring();
    };
    this.#parts = parts;
    this.#changed = new Bell(parts.host.timers);
    this.#writer = new PostgresLogWriter({ ...parts, onAppended: onChange });
    this.#listener = new PostgresLogListener({ ...parts, onChange });
  }

  readonly unwritable = (): string | null => this.#writer.unwritable;

  readonly head = async (): Promise<LogHead> => headOf(await this.#readRow(READ_HEAD));

  readonly start = async (): Promise<LogHead> => headOf(await this.#readRow(READ_START));

  readonly term = async (): Promise<string> => {
    for (;;) {
      const { term } = await this.#readRow(READ_HEAD);
      if (typeof term === "string") return term;
      await this.#writer.run(NAME_TIMELINE);
    }
  };

  readonly isLaterTerm = isLaterTimeline;

  readonly append = (batch: LogBatch): Promise<Appended> => this.#writer.append(batch);

  readonly isFollowed = async (): Promise<boolean> => {
    const { channel } = this.#parts;
    return (await this.#writer.run(FIND_FOLLOWERS, [channel, this.#listener.session])).length > 0;
  };

  readonly beginBehind = async (start: LogHead): Promise<void> => {
    await this.#writer.run(MOVE_ANCHOR, [start.sequence, start.entryHash]);
    const { sequence, entryHash } = await this.start();
    if (sequence !== start.sequence || entryHash !== start.entryHash)
      throw new Error(`the log is not empty: it begins behind entry ${sequence}`);
  };

  readonly trim = async (upTo: number): Promise<void> => {
    const { sequence: last } = await this.head();
    if (upTo > last) throw new Error(`the log has no entry ${upTo}: it ends with ${last}`);
    while (!this.#closing.signal.aborted) {
      const { sequence } = await this.start();
      if (sequence >= upTo || !(await this.#writer.trim(upTo, sequence + TRIMMED_AT_ONCE))) return;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    await this.#writer.close();
    this.#changed.ring();
    await this.#listener.close();
    await this.#parts.sessions.close();
  };

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    const { timers } = this.#parts.host;
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    let last = after;
    while (!ended.aborted) {
      this.#listener.start();
      const changes = this.#changes;
      const pages = await this.#readPages(last, ended);
      if (pages.length === 0) await this.#changed.until(() => this.#changes !== changes, { signal: ended });
      for (const page of pages) {
        if (ended.aborted) return;
        last = page.head.sequence;
        yield page;
        // Other work gets its turn while a follower catches up on a long log.
        await nextTurn(timers);
      }
    }
  }

  /** Tries again while the server is gone; no pages if the follower ends. */
  async #readPages(after: number, signal: AbortSignal): Promise<readonly LogPage[]> {
    const { host, log } = this.#parts;
    try {
      return await retry(() => this.#readNamed(after), {
        backoff: new Backoff(LOG_READ_BACKOFF),
        timers: host.timers,
        signal,
        onFailure: (error) => {
          if (!(error instanceof StoreUnwritable)) throw asDamage(error);
          log.warn({ error: error.message }, "reading the log failed; it is retried");
        },
      });
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }

  /** A user who may only read cannot name a term: its pages lack the name until a writer gives it. */
  async #readNamed(after: number): Promise<readonly LogPage[]> {
    const { sessions, readOnly = false } = this.#parts;
    for (;;) {
      const read = await sessions.read(async (connection) => {
        return { pages: await readPages(connection, after), connection };
      });
      if (readOnly || read.pages.length === 0) return read.pages;
      if (read.pages.every(({ term }) => term !== undefined)) {
        await this.#trust(read);
        return read.pages;
      }
      await this.#writer.run(NAME_TIMELINE);
    }
  }

  /**
   * A server that was restarted shows what it alone has, and a follower that keeps it could not go on with a standby that takes
   * over. What is shown for the first time during a session has been waited for.
   */
  async #trust({ pages, connection }: ReadPages): Promise<void> {
    if (this.#trusted.has(connection)) return;
    if ((await this.#writer.waitForStandbys()) !== pages[0]?.term) {
      connection.cut("its server is not the one that is written to");
      throw new StoreUnavailable("the log was read from another server than it is written to");
    }
    this.#trusted.add(connection);
  }

  async #readRow(text: string): Promise<SqlRow> {
    return this.#parts.sessions.read(async (connection) => {
      const { rows } = await connection.query({ text });
      return rows[0] ?? {};
    });
  }
}

/** Codes of class XX001 and XX002: the server found damaged bytes. */
function asDamage(error: unknown): unknown {
  if (!/^XX00[12]$/.test(errorCodeOf(error) ?? "")) return error;
  return new DatabaseDamaged(`the log's database is damaged: ${String(error)}. Restore it from a copy`, {
    cause: error,
  });
}
