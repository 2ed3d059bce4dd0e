/**
 * The session that appends to the log on PostgreSQL. Batches that wait at the same moment and follow each other go into one row, by
 * a statement that is its own transaction and reads the term in it. A statement whose answer is lost is resolved by reading: a row
 * with the same end is ours, because its hash covers everything before it. Otherwise the batches are sent again to a server that
 * takes writes.
 */
import {
  Backoff,
  errorCodeOf,
  type Host,
  KeyedQueue,
  type PostgresConnection,
  type PostgresSessions,
  StoreInDoubt,
  StoreUnavailable,
  StoreUnwritable,
  sleep,
} from "@callsign/node";
import {
  APPEND_DOUBT_MILLISECONDS,
  APPEND_RETRY_BACKOFF,
  CHARACTERS_AT_ONCE,
  MAX_LOST_RACES,
  MAX_WAITING_BATCHES,
  SLOW_WRITE_MILLISECONDS,
} from "../limits/limits.ts";
import { type GroupPlan, planGroup, takeGroup, type WaitingBatch } from "./append-group.ts";
import { type Appended, checkSize, type LogBatch, type LogHead } from "./ordered-log.ts";
import {
  APPEND,
  encodeEntries,
  FIND_TRIMMED_END,
  HAS_ROW,
  NAME_TIMELINE,
  READ_HEAD,
  TRY_TO_WRITE,
  trimScript,
} from "./postgres-log-schema.ts";

export interface LogWriterParts {
  readonly sessions: PostgresSessions;
  readonly host: Host;
  /** The channel on which followers in all processes hear of appended batches. */
  readonly channel: string;
  readonly prepare: (connection: PostgresConnection) => Promise<void>;
  readonly onAppended: () => void;
}

/** The end of the log, and the server's term. */
interface LogPresent {
  readonly head: LogHead;
  readonly term: string;
}

/** The one key of the queue: statements that write run one after the other. */
const WRITES = "writes";
/** Another session has appended or trimmed meanwhile: unique key, foreign key, serialization, deadlock. */
const LOST_RACE = /^(?:23505|23503|40001|40P01)$/;
/** A standby's refusals. The server's name may lead to another one by now. */
const STANDBY = /^(?:25006|55000)$/;

export class PostgresLogWriter {
  readonly #parts: LogWriterParts;
  readonly #server: ReturnType<PostgresSessions["newServer"]>;
  readonly #queue = new KeyedQueue();
  #connection: PostgresConnection | null = null;
  readonly #waiting: WaitingBatch[] = [];
  /** Batches of the present group that were sent, and no answer came, with the ends of the rows in which they were sent. */
  readonly #doubts = new Map<WaitingBatch, readonly LogHead[]>();
  /** As the last statement left it; null if it has to be read. */
  #present: LogPresent | null = null;
  #unwritable: string | null = null;
  #isTrying = false;
  #isClosed = false;
  #writingSince: number | null = null;

  constructor(parts: LogWriterParts) {
    this.#parts = parts;
    this.#server = parts.sessions.newServer();
  }

  append(batch: LogBatch): Promise<Appended> {
    return new Promise((resolve, reject) => {
      checkSize(batch);
      if (this.#isClosed) throw new Error("the log is closed");
      if (this.#waiting.length >= MAX_WAITING_BATCHES)
        throw new StoreUnavailable("too many batches wait for the log's database");
      this.#waiting.push({ batch, resolve, reject });
      // All appends of this turn of the event loop share the statement.
      if (this.#waiting.length === 1) this.#parts.host.timers.soon(() => this.#schedule());
    });
  }

  /** The reason why the last write failed, or why the present one takes long. Asking tries one, for the next answer. */
  get unwritable(): string | null {
    if (!this.#isTrying && !this.#isClosed) {
      this.#isTrying = true;
      const done = () => {
        this.#isTrying = false;
      };
      const trial = this.#inTurn((connection) => connection.query({ text: TRY_TO_WRITE }));
      trial.then(done, done);
    }
    const { elapsedMilliseconds } = this.#parts.host.clock;
    const since = this.#writingSince;
    if (since !== null && elapsedMilliseconds() - since > SLOW_WRITE_MILLISECONDS)
      return "a commit takes long: the database does not answer, or waits for its standbys";
    return this.#unwritable;
  }

  /** Runs a statement that is harmless to repeat. */
  async run(text: string, parameters: readonly (string | number)[] = []) {
    return (await this.#inTurn((connection) => connection.query({ text, parameters }))).rows;
  }

  /**
   * Resolves when the standbys have everything that the server showed before the call. Answers with the term: a server of another
   * one may have shown more.
   */
  async waitForStandbys(): Promise<string> {
    return (await this.#inTurn((connection) => this.#waitForStandbys(connection))).term;
  }

  /** Trims about so many entries of those up to one; false if no batch is left that ends at or before it. */
  trim(upTo: number, most: number): Promise<boolean> {
    return this.#inTurn(async (connection) => {
      const { rows } = await connection.query({ text: FIND_TRIMMED_END, parameters: [upTo, most] });
      const end = rows[0]?.["last_sequence"] ?? null;
      if (end === null) return false;
      try {
        await connection.script(trimScript(Number(end)));
      } catch (error) {
        connection.cut("a trim failed");
        throw error;
      }
      return true;
    });
  }

  /** Waits for the batches that were sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#schedule();
    await this.#queue.idle();
    await this.#connection?.close();
    this.#connection = null;
  }

  #schedule(): void {
    if (this.#waiting.length > 0) void this.#queue.run(WRITES, () => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<void> {
    const group = takeGroup(this.#waiting, CHARACTERS_AT_ONCE);
    if (group.length === 0) return;
    await this.#writeGroup(group);
    this.#schedule();
  }

  /** A write that is harmless to repeat. */
  #inTurn<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#queue.run(WRITES, async () => {
      const connection = await this.#connected();
      try {
        const result = await this.#timed(work(connection));
        this.#unwritable = null;
        return result;
      } catch (error) {
        throw this.#failed(error, connection);
      }
    });
  }

  /** Answers every batch of the group; never rejects. */
  async #writeGroup(group: readonly WaitingBatch[]): Promise<void> {
    const { clock, timers } = this.#parts.host;
    const backoff = new Backoff(APPEND_RETRY_BACKOFF);
    const end = clock.elapsedMilliseconds() + APPEND_DOUBT_MILLISECONDS;
    let left = group;
    for (let races = 0; left.length > 0; ) {
      try {
        const connection = await this.#connected();
        left = await this.#timed(this.#answerDoubts(connection, left));
        if (await this.#timed(this.#tryAppend(connection, left))) return;
        if (++races > MAX_LOST_RACES) throw new StoreUnwritable("other sessions append faster than this one");
      } catch (error) {
        if (this.#doubts.size === 0 || clock.elapsedMilliseconds() >= end) {
          for (const each of left) each.reject(this.#doubts.has(each) ? asInDoubt(error) : error);
          this.#doubts.clear();
          return;
        }
        await sleep(backoff.next(), { timers });
      }
    }
  }

  /** Answers the batches that were sent before and are there; returns the others. */
  async #answerDoubts(
    connection: PostgresConnection,
    group: readonly WaitingBatch[],
  ): Promise<readonly WaitingBatch[]> {
    if (this.#doubts.size === 0) return group;
    const [found, left]: [WaitingBatch[], WaitingBatch[]] = [[], []];
    for (const waiting of group) {
      const isThere = await this.#hasOneOf(connection, this.#doubts.get(waiting) ?? []);
      (isThere ? found : left).push(waiting);
    }
    if (found.length === 0) return left;
    await this.#waitForStandbys(connection);
    for (const waiting of found) {
      this.#doubts.delete(waiting);
      waiting.resolve({ appended: true });
    }
    this.#parts.onAppended();
    return left;
  }

  /** A row that is read may be on this server alone. A commit behind it waits for the standbys, and for the row with it. */
  async #waitForStandbys(connection: PostgresConnection): Promise<LogPresent> {
    const present = await this.#readPresent(connection);
    try {
      await this.#commit(connection, { text: TRY_TO_WRITE });
      return present;
    } catch (error) {
      throw this.#failed(error, connection);
    }
  }

  /** Ends the session after a warning, because the commit may be on this server alone. */
  async #commit(connection: PostgresConnection, statement: Parameters<PostgresConnection["query"]>[0]) {
    const { warnings } = connection;
    const result = await connection.query(statement);
    if (connection.warnings === warnings) return result;
    connection.cut("a commit was cancelled while it waited for standbys");
    throw new StoreUnavailable("a commit was cancelled while it waited for the database's standbys");
  }

  async #hasOneOf(connection: PostgresConnection, ends: readonly LogHead[]): Promise<boolean> {
    try {
      for (const { sequence, entryHash } of ends) {
        const { rows } = await connection.query({ text: HAS_ROW, parameters: [sequence, entryHash] });
        if (rows.length > 0) return true;
      }
      return false;
    } catch (error) {
      throw this.#failed(error, connection);
    }
  }

  /** True if every batch of the group is answered; false if another session was faster. */
  async #tryAppend(connection: PostgresConnection, group: readonly WaitingBatch[]): Promise<boolean> {
    let present = this.#present ?? (await this.#readPresent(connection));
    let plan = planGroup(group, present);
    // A refusal names the head that the log has now.
    if (plan.refused.length > 0 && present === this.#present) {
      present = await this.#readPresent(connection);
      plan = planGroup(group, present);
    }
    if (plan.fitting.length > 0 && !(await this.#insert(connection, plan, present.term))) return false;
    const { term } = present;
    for (const { resolve } of plan.fitting) resolve({ appended: true });
    for (const { waiting, head } of plan.refused) waiting.resolve({ appended: false, head, term });
    if (plan.fitting.length > 0) this.#parts.onAppended();
    this.#doubts.clear();
    return true;
  }

  /** False if the batches do not fit any more, or the term has changed. */
  async #insert(connection: PostgresConnection, { fitting }: GroupPlan, term: string): Promise<boolean> {
    this.#present = null;
    const { after } = (fitting[0] as WaitingBatch).batch;
    const { head } = (fitting.at(-1) as WaitingBatch).batch;
    const earlier = new Map(fitting.map((waiting) => [waiting, this.#doubts.get(waiting)]));
    for (const [waiting, ends = []] of earlier) this.#doubts.set(waiting, [...ends, head]);
    const settle = () => {
      for (const [waiting, ends] of earlier)
        if (ends === undefined) this.#doubts.delete(waiting);
        else this.#doubts.set(waiting, ends);
    };
    const isForTerm = fitting.some(({ batch }) => batch.term !== undefined);
    const bytes = encodeEntries(fitting.flatMap(({ batch }) => batch.entries));
    const row = [after.sequence, after.entryHash, head.sequence, head.entryHash, bytes.length, bytes];
    const parameters = [isForTerm ? term : null, this.#parts.channel, ...row];
    try {
      const { rows } = await this.#commit(connection, { text: APPEND, name: "append", parameters });
      settle();
      this.#unwritable = null;
      if (rows[0]?.["inserted"] !== 1n) return false;
      if (rows[0]["term"] === term) this.#present = { head, term };
      return true;
    } catch (error) {
      if (!connection.isLost) settle();
      if (!connection.isLost && LOST_RACE.test(errorCodeOf(error) ?? "")) return false;
      throw this.#failed(error, connection);
    }
  }

  async #readPresent(connection: PostgresConnection): Promise<LogPresent> {
    try {
      for (;;) {
        const { rows } = await connection.query({ text: READ_HEAD, name: "head" });
        const { last_sequence: sequence, last_hash: entryHash, term } = rows[0] ?? {};
        const head = { sequence: Number(sequence), entryHash: String(entryHash) };
        if (typeof term === "string") return { head, term };
        await connection.query({ text: NAME_TIMELINE });
      }
    } catch (error) {
      throw this.#failed(error, connection);
    }
  }

  async #connected(): Promise<PostgresConnection> {
    if (this.#connection?.isLost === false) return this.#connection;
    this.#connection = null;
    this.#present = null;
    try {
      this.#connection = await this.#server.connect(this.#parts.prepare);
      return this.#connection;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /** The error that the failure means to the caller. */
  #failed(error: unknown, connection: PostgresConnection): unknown {
    if (STANDBY.test(errorCodeOf(error) ?? "")) connection.cut("the server takes no writes");
    return this.#noted(this.#parts.sessions.asFailure(error, connection));
  }

  #noted(error: unknown): unknown {
    if (error instanceof StoreUnwritable) this.#unwritable = error.reason;
    return error;
  }

  async #timed<T>(work: Promise<T>): Promise<T> {
    this.#writingSince = this.#parts.host.clock.elapsedMilliseconds();
    try {
      return await work;
    } finally {
      this.#writingSince = null;
    }
  }
}

/** The error of a batch whose outcome could not be found out in time. */
function asInDoubt(error: unknown): unknown {
  const { message, reason } =
    error instanceof StoreUnwritable ? error : { message: String(error), reason: "the log's database fails" };
  return new StoreInDoubt(`${message}; the batch may have been appended`, { reason, cause: error });
}
