/**
 * Requests that take effect once, with the first answer to each. A row is written before the request is sent, and gets
 * its answer afterwards; a row without an answer is a request whose outcome this validator has not seen.
 */
import { type Sql, type Store, type Timers, WriteBatches } from "@callsign/node";

export interface KeptRequest {
  /** A digest of all that was asked for. */
  readonly content: string;
  /** The ledger's end as it was known before the request was sent. */
  readonly offset: number;
  /** The ledger's time at which it was kept. */
  readonly keptAt: bigint;
}

export interface AnsweredRequest extends KeptRequest {
  /** Null: not seen. */
  readonly answer: string | null;
}

interface Kept extends KeptRequest {
  readonly commandId: string;
  /** Requests from before that time are over. */
  readonly since: bigint;
}

interface Answered {
  readonly commandId: string;
  readonly answer: string;
}

export class FirstAnswers {
  readonly #store: Store;
  readonly #writes: WriteBatches<Kept | Answered>;

  constructor(store: Store, timers: Timers) {
    this.#store = store;
    // A repeated request whose answer was lost with the power looks its transaction up.
    const isRepeatable = (item: Kept | Answered) => "answer" in item;
    this.#writes = new WriteBatches({ store, timers, write: writeAll, isRepeatable });
  }

  /** Requests from before that time are over. */
  async find(commandId: string, since: bigint): Promise<AnsweredRequest | undefined> {
    const row = await this.#store.get(
      "select content, answer, ledger_offset, kept_at from first_answers where command_id = $1 and kept_at > $2",
      commandId,
      since,
    );
    if (row === undefined) return undefined;
    const { content, answer, ledger_offset, kept_at } = row;
    return {
      content: String(content),
      answer: answer === null || answer === undefined ? null : String(answer),
      offset: Number(ledger_offset),
      keptAt: BigInt(kept_at as bigint),
    };
  }

  /** Resolves when the request is on disk. Forgets the requests that are over. */
  async keep(commandId: string, request: KeptRequest, since: bigint): Promise<void> {
    await this.#writes.add({ commandId, since, ...request });
  }

  async answer(commandId: string, answer: string): Promise<void> {
    await this.#writes.add({ commandId, answer });
  }

  async drop(commandId: string): Promise<void> {
    await this.#store.run("delete from first_answers where command_id = $1", commandId);
  }
}

async function writeAll(sql: Sql, items: readonly (Kept | Answered)[]): Promise<void> {
  const latest = items.findLast((item) => "since" in item);
  if (latest !== undefined) await sql.run("delete from first_answers where kept_at <= $1", latest.since);
  for (const item of items) {
    if ("answer" in item) {
      const { answer, commandId } = item;
      await sql.run("update first_answers set answer = $1 where command_id = $2", answer, commandId);
    } else {
      const { commandId, content, offset, keptAt } = item;
      await sql.run(
        "insert into first_answers (command_id, content, ledger_offset, kept_at) values ($1, $2, $3, $4)",
        ...[commandId, content, BigInt(offset), keptAt],
      );
    }
  }
}
