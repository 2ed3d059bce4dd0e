/** Tells of batches that any process appended: by notifications of the server, and by a look at the head now and then. */
import { Backoff, type Host, type Log, type PostgresSessions, repeat, sleep } from "@callsign/node";
import { LOG_POLL_MILLISECONDS, LOG_READ_BACKOFF } from "../limits/limits.ts";
import { SHARE_LOG } from "./postgres-log-schema.ts";

const END = "select last_sequence, last_hash from batch order by last_sequence desc limit 1";

export interface ListenerParts {
  readonly sessions: PostgresSessions;
  readonly host: Host;
  readonly log: Log;
  readonly channel: string;
  readonly onChange: () => void;
}

export class PostgresLogListener {
  readonly #parts: ListenerParts;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  /** The server's process of its session; 0 before there is one. */
  #session = 0;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** One session for all followers, opened for the first. */
  start(): void {
    const { host, log, sessions } = this.#parts;
    const server = sessions.newServer();
    this.#running ??= repeat(() => this.#listen(server), {
      backoff: new Backoff({ ...LOG_READ_BACKOFF, jitter: host.randomness }),
      timers: host.timers,
      signal: this.#stop.signal,
      onFailure: (error) =>
        log.warn({ error: String(error) }, "listening to the log's database failed; it is retried"),
    });
  }

  get session(): number {
    return this.#session;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #listen(server: ReturnType<PostgresSessions["newServer"]>): Promise<void> {
    const { host, channel, onChange } = this.#parts;
    const { signal } = this.#stop;
    const connection = await server.connect(async (made) => {
      await made.listen(channel, onChange);
      const { rows } = await made.query({ text: "select pg_backend_pid() as pid" });
      this.#session = Number(rows[0]?.["pid"]);
      // The lock lasts as long as the session, and tells others that the log is followed.
      await made.query({ text: SHARE_LOG, parameters: [channel] });
    });
    try {
      // Entries may have been appended while no session listened.
      onChange();
      let known = "";
      while (!signal.aborted) {
        const { rows } = await connection.query({ text: END, name: "end" });
        const end = `${rows[0]?.["last_sequence"]} ${rows[0]?.["last_hash"]}`;
        if (end !== known) onChange();
        known = end;
        await sleep(LOG_POLL_MILLISECONDS, { timers: host.timers, signal });
      }
    } finally {
      await connection.close();
    }
  }
}
