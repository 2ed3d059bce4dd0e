/**
 * A sequencer gives submissions their place: it stamps them with its clock, chains them behind the log's last entry
 * and appends them in batches. Only here a clock is read. Where another sequencer was faster, the batch is chained
 * anew; a submission is never dropped in silence.
 */
import {
  type Envelope,
  formatLogEntry,
  type Hash,
  hashLogEntry,
  type LogEntry,
  parseLogEntry,
  type Time,
} from "@callsign/ledger";
import type { LogBatch, LogHead, OrderedLog } from "./ordered-log.ts";

/** Who waits when the queue is full is told so at once. */
export class SequencerOverloaded extends Error {
  override readonly name = "SequencerOverloaded";
}

/** What can never be an entry, such as a signature that is not one. */
export class MalformedEnvelope extends Error {
  override readonly name = "MalformedEnvelope";
}

const MAX_WAITING = 5000;
const MAX_BATCH = 200;

interface Waiting {
  readonly envelope: Envelope;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
}

export class Sequencer {
  readonly #log: OrderedLog;
  readonly #hash: Hash;
  readonly #clock: () => Time;
  #waiting: Waiting[] = [];
  #head: LogHead | null = null;
  #writing: Promise<void> | null = null;

  constructor(parts: { readonly log: OrderedLog; readonly hash: Hash; readonly clock: () => Time }) {
    this.#log = parts.log;
    this.#hash = parts.hash;
    this.#clock = parts.clock;
  }

  /** Resolves with the entry's sequence number once it is on disk. */
  submit(envelope: Envelope): Promise<number> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(
        new SequencerOverloaded(`${MAX_WAITING} submissions wait already: try again in a second`),
      );
    }
    if (!isWritable(envelope)) {
      return Promise.reject(
        new MalformedEnvelope("the envelope cannot be written: check its signatures and content"),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ envelope, resolve, reject });
      this.#writing ??= this.#write().finally(() => {
        this.#writing = null;
      });
    });
  }

  /** Resolves when everything that waits has been answered. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.slice(0, MAX_BATCH);
      this.#waiting = this.#waiting.slice(MAX_BATCH);
      try {
        const first = await this.#append(taken.map(({ envelope }) => envelope));
        for (const [i, { resolve }] of taken.entries()) resolve(first + i);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
  }

  /** Chains and appends until the batch stands; returns the first sequence number. */
  async #append(envelopes: readonly Envelope[]): Promise<number> {
    this.#head ??= await this.#log.head();
    for (;;) {
      const batch = this.#chain(this.#head, envelopes);
      const answer = await this.#log.append(batch);
      if (answer.appended) {
        this.#head = batch.head;
        return batch.after.sequence + 1;
      }
      this.#head = answer.head;
    }
  }

  #chain(after: LogHead, envelopes: readonly Envelope[]): LogBatch {
    const entries: string[] = [];
    let head = after;
    for (const { content, signatures } of envelopes) {
      const entry: LogEntry = {
        sequence: head.sequence + 1,
        previousHash: head.entryHash,
        stampedAt: this.#clock(),
        content,
        signatures,
      };
      head = { sequence: entry.sequence, entryHash: hashLogEntry(this.#hash, entry) };
      entries.push(formatLogEntry(entry));
    }
    return { after, head, entries };
  }
}

/** Whether an entry with this envelope can be read again: otherwise it would damage the log for everybody. */
function isWritable({ content, signatures }: Envelope): boolean {
  const sample = { sequence: 1, previousHash: "0".repeat(64), stampedAt: 0n as Time, content, signatures };
  return parseLogEntry(formatLogEntry(sample)).ok;
}
