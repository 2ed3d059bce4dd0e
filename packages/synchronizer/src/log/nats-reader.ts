/** Reads the batches behind an entry, one after the other, and checks that they are chained. */
import { DatabaseDamaged } from "@callsign/node";
import { isSameHead } from "./append-group.ts";
import type { PlacedBatch } from "./nats-message.ts";
import type { NatsStream } from "./nats-stream.ts";
import { EMPTY_HEAD, type LogHead, LogTrimmed } from "./ordered-log.ts";

export class NatsReader {
  readonly #stream: NatsStream;
  /** The last entry that the follower has. */
  last: number;
  /** The position of the message to read next; null until it was searched for. */
  #next: number | null = null;
  /** The end of the message before that; null if it was not read. */
  #end: LogHead | null = null;

  constructor(stream: NatsStream, after: number) {
    this.#stream = stream;
    this.last = after;
  }

  /** The next batches, or none if the log has none yet. The first may begin with entries that the follower has. */
  async read(): Promise<readonly PlacedBatch[]> {
    const batches = await this.#readNext();
    for (const batch of batches) this.#take(batch);
    return batches;
  }

  /** The first message that holds an entry behind the follower's last one; null if there is none. */
  async search(): Promise<PlacedBatch | null> {
    const last = await this.#stream.findLast();
    if (last === null) return null;
    if (last.head.sequence <= this.last) {
      if (last.head.sequence === this.last) [this.#next, this.#end] = [last.position + 1, last.head];
      return null;
    }
    let found = last;
    let low = 1;
    while (low < found.position) {
      const batch = await this.#stream.findFrom(Math.floor((low + found.position) / 2));
      if (batch === null) break;
      if (batch.head.sequence <= this.last) low = batch.position + 1;
      else if (batch.position < found.position) found = batch;
      else low = found.position;
    }
    return found;
  }

  async #readNext(): Promise<readonly PlacedBatch[]> {
    if (this.#next === null) {
      const found = await this.search();
      return found === null ? [] : [found];
    }
    const next = this.#next;
    // A replica that is behind has nothing yet; the leader has it.
    const run = await this.#stream.listFrom(next);
    if (run.length > 0) return run;
    const found = await this.#stream.findFrom(next);
    if (found !== null) return [found];
    const { position } = (await this.#stream.findLast()) ?? { position: 0 };
    if (position >= next - 1) return [];
    throw new Error(
      `the log's stream ends with message ${position}, and message ${next - 1} was read: ` +
        "its leader is not up to date yet, or the stream has lost its end",
    );
  }

  #take(batch: PlacedBatch): void {
    const { after, head, position } = batch;
    const end = this.#end ?? (after.sequence === 0 ? EMPTY_HEAD : null);
    if (after.sequence > (end?.sequence ?? this.last)) throw new LogTrimmed(this.last, after);
    if (end !== null && !isSameHead(after, end))
      throw new DatabaseDamaged(
        `message ${position} of the log's stream holds a batch behind entry ${after.sequence} with hash ${after.entryHash}, ` +
          `and the batch before it ends with entry ${end.sequence} and hash ${end.entryHash}. Restore the log from a copy`,
      );
    this.#next = position + 1;
    this.#end = head;
  }
}
