/**
 * Requests that take effect once, with the first answer to each. A row is written before the request is sent, and gets
 * its answer afterwards; a row without an answer is a request whose outcome this validator has not seen.
 */
import type { Store } from "@callsign/node";

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

export class FirstAnswers {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
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

  /** Forgets the requests that are over. */
  async keep(commandId: string, { content, offset, keptAt }: KeptRequest, since: bigint): Promise<void> {
    await this.#store.transaction(async (sql) => {
      await sql.run("delete from first_answers where kept_at <= $1", since);
      await sql.run(
        "insert into first_answers (command_id, content, ledger_offset, kept_at) values ($1, $2, $3, $4)",
        commandId,
        content,
        BigInt(offset),
        keptAt,
      );
    });
  }

  /** It is not synced to disk: a repeated request whose answer was lost with the power looks its transaction up. */
  async answer(commandId: string, answer: string): Promise<void> {
    const statement = "update first_answers set answer = $1 where command_id = $2";
    await this.#store.transaction((sql) => sql.run(statement, answer, commandId), { repeatable: true });
  }

  async drop(commandId: string): Promise<void> {
    await this.#store.run("delete from first_answers where command_id = $1", commandId);
  }
}
