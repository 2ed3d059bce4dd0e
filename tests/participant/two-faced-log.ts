/** An ordering engine that equivocates: two logs get the same batches until it splits, and each SV is shown one of them. */
import { systemHost } from "@callsign/node";
import type { Appended, LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";

/** One of the two histories. */
export type Side = 0 | 1;

export class TwoFacedLog {
  /** The log that the engine shows the SVs of each side. */
  readonly sides: readonly [OrderedLog, OrderedLog];
  readonly #logs: readonly [SqliteLog, SqliteLog];
  #isSplit = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#logs = [new SqliteLog(":memory:", systemHost), new SqliteLog(":memory:", systemHost)];
    this.sides = [this.#show(0), this.#show(1)];
  }

  /** From now on the histories differ. */
  async split(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isSplit = true;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#logs.map((log) => log.close()));
  }

  #show(side: Side): OrderedLog {
    const log = this.#logs[side];
    const { head, start, term, trim, unwritable } = log;
    const follow: OrderedLog["follow"] = (after, signal) => log.follow(after, signal);
    const append = (batch: LogBatch) => this.#inTurn(() => this.#append(side, batch));
    return { head, start, term, trim, unwritable, follow, append, close: async () => undefined };
  }

  async #append(side: Side, batch: LogBatch): Promise<Appended> {
    if (this.#isSplit) return this.#logs[side].append(batch);
    const [first, second] = this.#logs;
    const answer = await first.append(batch);
    if (answer.appended && !(await second.append(batch)).appended)
      throw new Error("the logs differ before the split");
    return answer;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
