/**
 * The log on NATS JetStream, for SVs in many processes: a stream whose messages are batches, replicated by the servers. Entries
 * are trimmed in whole messages. Followers go on by themselves when a lost connection is back, or when another server leads.
 */
import {
  Backoff,
  Bell,
  DatabaseDamaged,
  DatabaseRefused,
  type Host,
  type Log,
  nextTurn,
  retry,
  StoreUnavailable,
  startDeadline,
  untilAborted,
} from "@callsign/node";
import {
  LOG_CLOSE_MILLISECONDS,
  LOG_POLL_MILLISECONDS,
  LOG_READ_BACKOFF,
  NATS_PATIENCE_MILLISECONDS,
} from "../limits/limits.ts";
import { findDamagedEnd } from "./entry-hashes.ts";
import { cutPages } from "./log-pages.ts";
import type { NatsLogConfig } from "./nats-config.ts";
import type { PlacedBatch } from "./nats-message.ts";
import { NatsReader } from "./nats-reader.ts";
import { checkConfig, checkStream, setUpStream } from "./nats-setup.ts";
import { NatsStream } from "./nats-stream.ts";
import { NatsWriter } from "./nats-writer.ts";
import {
  type Appended,
  EMPTY_HEAD,
  type LogBatch,
  type LogHead,
  type LogPage,
  LogTrimmed,
  type OrderedLog,
} from "./ordered-log.ts";
import { readingAlone } from "./reading-alone.ts";

export interface NatsLogParts {
  readonly host: Host;
  readonly log: Log;
  /** The time for which servers that do not answer are waited for. */
  readonly patienceMilliseconds?: number;
  /** Makes nothing, writes nothing, and leaves risks to the writers. False if omitted. */
  readonly readOnly?: boolean;
}

/** Makes the stream if it is missing. Refuses servers that may lose entries, and a log whose end is damaged. */
export async function connectNatsLog(config: NatsLogConfig, parts: NatsLogParts): Promise<OrderedLog> {
  checkConfig(config);
  const log = new NatsLog(config, parts);
  try {
    await log.prepare();
    return parts.readOnly === true ? readingAlone(log) : log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

class NatsLog implements OrderedLog {
  readonly #config: NatsLogConfig;
  readonly #parts: NatsLogParts;
  readonly #stream: NatsStream;
  readonly #writer: NatsWriter;
  /** Rings when a message was stored. */
  readonly #stored: Bell;
  #lastStored = 0;
  readonly #closing = new AbortController();

  constructor(config: NatsLogConfig, parts: NatsLogParts) {
    this.#config = config;
    this.#parts = parts;
    this.#stored = new Bell(parts.host.timers);
    const onStored = (position: number) => {
      this.#lastStored = Math.max(this.#lastStored, position);
      this.#stored.ring();
    };
    this.#stream = new NatsStream(config, onStored, parts.host);
    this.#writer = new NatsWriter({
      stream: this.#stream,
      host: parts.host,
      onAppended: ({ position }) => onStored(position),
    });
  }

  async prepare(): Promise<void> {
    const { log, readOnly = false } = this.#parts;
    const setUp = readOnly ? checkStream : setUpStream;
    await this.#patiently(async () => setUp(await this.#stream.link(), this.#config, log));
    const last = await this.#patiently(() => this.#stream.findLast());
    const reason =
      last === null || last.entries.length === 0 ? null : findDamagedEnd(last.entries.at(-1), last.head);
    if (reason !== null)
      throw new DatabaseDamaged(
        `the log in the stream ${this.#config.stream} is damaged: ${reason}. Restore it from a copy`,
      );
  }

  readonly unwritable = (): string | null => this.#writer.unwritable;

  readonly head = async (): Promise<LogHead> => (await this.#patiently(() => this.#writer.readTail())).head;

  readonly start = async (): Promise<LogHead> =>
    (await this.#patiently(() => this.#stream.findFrom(1)))?.after ?? EMPTY_HEAD;

  readonly term = (): Promise<string> => this.#patiently(() => this.#writer.readTerm());

  readonly append = (batch: LogBatch): Promise<Appended> => this.#writer.append(batch);

  /** A message without entries has the head, as behind a trim of all entries. */
  readonly beginBehind = async (start: LogHead): Promise<void> => {
    const batch = { after: start, head: start, entries: [] };
    if ((await this.#patiently(() => this.#stream.publish(batch, 0))) === null)
      throw new Error(`the stream ${this.#config.stream} is not empty: no log can begin in it`);
  };

  readonly trim = async (upTo: number): Promise<void> => {
    while (!this.#closing.signal.aborted) {
      const last = await this.#patiently(() => this.#stream.findLast());
      const head = last?.head ?? EMPTY_HEAD;
      if (upTo > head.sequence)
        throw new Error(`the log has no entry ${upTo}: it ends with ${head.sequence}`);
      if (last === null || upTo <= (await this.start()).sequence) return;
      const isWhole = upTo === head.sequence;
      // A message without entries keeps the head when all others go.
      if (isWhole && last.entries.length > 0) {
        await this.append({ after: head, head, entries: [] });
        continue;
      }
      const kept = isWhole ? last : await this.#patiently(() => this.#reader(upTo).search());
      if (kept !== null) await this.#patiently(() => this.#stream.purgeBefore(kept.position));
      return;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    const { timers } = this.#parts.host;
    const deadline = startDeadline(LOG_CLOSE_MILLISECONDS, { timers });
    await this.#writer.close(deadline.signal);
    deadline.clear();
    await this.#stream.close();
  };

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    const { timers } = this.#parts.host;
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    const reader = this.#reader(after);
    while (!ended.aborted) {
      const lastStored = this.#lastStored;
      const batches = await this.#read(reader, ended);
      if (batches.length === 0) {
        const isNew = () => this.#lastStored > lastStored;
        await this.#stored.until(isNew, { signal: ended, milliseconds: LOG_POLL_MILLISECONDS });
      }
      for (const page of cutPages(batches, reader.last)) {
        if (ended.aborted) return;
        reader.last = page.head.sequence;
        yield page;
        // Other work gets its turn while a follower catches up on a long log.
        await nextTurn(timers);
      }
    }
  }

  #reader(after: number): NatsReader {
    return new NatsReader(this.#stream, after);
  }

  /** Tries again while the servers do not answer; nothing if the follower ends. */
  async #read(reader: NatsReader, signal: AbortSignal): Promise<readonly PlacedBatch[]> {
    const { host, log } = this.#parts;
    try {
      return await retry(() => untilAborted(reader.read(), signal), {
        backoff: new Backoff({ ...LOG_READ_BACKOFF, jitter: host.randomness }),
        timers: host.timers,
        signal,
        onFailure: (error) => {
          // A server with a wrong setting may be the only one that is up at present.
          if (isLasting(error) && !(error instanceof DatabaseRefused)) throw error;
          log.warn({ error: String(error) }, "reading the log failed; it is retried");
        },
      });
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }

  /** Tries again for a while. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { host, patienceMilliseconds = NATS_PATIENCE_MILLISECONDS } = this.#parts;
    const deadline = startDeadline(patienceMilliseconds, {
      timers: host.timers,
      signals: [this.#closing.signal],
    });
    let failure = "the log is closed";
    try {
      return await retry(() => untilAborted(work(), deadline.signal), {
        backoff: new Backoff({ ...LOG_READ_BACKOFF, jitter: host.randomness }),
        timers: host.timers,
        signal: deadline.signal,
        onFailure: (error) => {
          if (isLasting(error)) throw error;
          failure = String(error);
        },
      });
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      const reason = "the log's NATS servers do not answer";
      throw new StoreUnavailable(`${reason}: ${failure}`, { reason, cause: error });
    } finally {
      deadline.clear();
    }
  }
}

/** True if trying again does not help. */
function isLasting(error: unknown): boolean {
  return [DatabaseDamaged, DatabaseRefused, LogTrimmed].some((kind) => error instanceof kind);
}
