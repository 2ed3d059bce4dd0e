/**
 * The sequencer stamps submissions with its clock, chains them behind the log's last entry and appends them in batches.
 * No other part of the ledger reads a clock. A batch that loses the race against another sequencer is chained and stamped
 * again; a submission is never dropped silently. From protocol version 4 on the first entry of a batch has the batch's stamp.
 */
import {
  type Envelope,
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  type Hash,
  hashLogEntry,
  isTick,
  type LogEntry,
  MAX_CONTENT_BYTES,
  MAX_SIGNATURES,
  parseLogEntry,
  type Time,
} from "@callsign/ledger";
import {
  MAX_BATCH_CHARACTERS,
  MAX_BATCH_ENTRIES,
  MAX_QUEUED_CHARACTERS,
  MAX_QUEUED_ENTRIES,
} from "../limits/limits.ts";
import type { LogBatch, LogHead, OrderedLog } from "../log/ordered-log.ts";
import type { StampClock } from "./stamp-clock.ts";

/** The queue is full. */
export class SequencerOverloaded extends Error {
  override readonly name = "SequencerOverloaded";
}

/** The envelope can never be an entry: a signature of the wrong form, for example. */
export class MalformedEnvelope extends Error {
  override readonly name = "MalformedEnvelope";
}

interface Waiting {
  readonly envelope: Envelope;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
}

export interface SequencerSetting {
  readonly log: OrderedLog;
  readonly hash: Hash;
  readonly clock: () => Time;
  /** Signs the stamps of a network's SV; without it they have the form of protocol versions before 4. */
  readonly stamps?: StampClock;
  /** The error for which nothing is appended at present, as of a replica that does not follow; null if there is none. */
  readonly trouble?: () => Error | null;
  /**
   * Resolves once it is known that the log lost nothing before this term; otherwise nothing is appended in it. Without it every
   * term is taken as it comes: for a log with one server.
   */
  readonly clearTerm?: (term: string) => Promise<void>;
  /** The largest content; the usual limit of an entry by default. */
  readonly maxContentBytes?: number;
}

export class Sequencer {
  readonly #log: OrderedLog;
  readonly #hash: Hash;
  readonly #clock: () => Time;
  readonly #stamps: StampClock | undefined;
  readonly #trouble: () => Error | null;
  readonly #clearTerm: SequencerSetting["clearTerm"];
  readonly #maxContentBytes: number;
  readonly #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  /** Submissions that wait until the clock is compared with other SVs'. */
  #held = 0;
  #head: LogHead | null = null;
  /** The term that was cleared last. */
  #term: string | null = null;
  #writing: Promise<void> | null = null;

  constructor(parts: SequencerSetting) {
    this.#log = parts.log;
    this.#hash = parts.hash;
    this.#clock = parts.clock;
    this.#stamps = parts.stamps;
    this.#trouble = parts.trouble ?? (() => null);
    this.#clearTerm = parts.clearTerm;
    this.#maxContentBytes = parts.maxContentBytes ?? MAX_CONTENT_BYTES;
  }

  /** Resolves with the entry's sequence number once it is on disk. */
  submit(envelope: Envelope): Promise<number> {
    return new Promise((resolve, reject) => {
      const trouble = this.#trouble();
      if (trouble !== null) throw trouble;
      const fault = findFault(envelope, this.#maxContentBytes);
      if (fault !== null) throw new MalformedEnvelope(`the envelope cannot be an entry: ${fault}`);
      const queued = this.#waiting.length + this.#held;
      if (queued >= MAX_QUEUED_ENTRIES || this.#waitingCharacters >= MAX_QUEUED_CHARACTERS)
        throw new SequencerOverloaded(`${queued} submissions wait already: try again in a second`);
      this.#waitingCharacters += envelope.content.length;
      this.#enqueue({ envelope, resolve, reject });
    });
  }

  /** Null if entries can be stamped; otherwise a promise that rejects with a `ClockNotBacked` if they cannot. */
  checkClock(): Promise<void> | null {
    return this.#stamps?.check() ?? null;
  }

  /** Ticks are not held: other SVs wait for them. */
  #enqueue(waiting: Waiting): void {
    const { content } = waiting.envelope;
    const held = isTick(content) ? null : this.checkClock();
    const push = () => {
      this.#waiting.push(waiting);
      this.#writing ??= this.#write();
    };
    if (held === null) {
      push();
      return;
    }
    this.#held++;
    const refuse = (error: unknown) => {
      this.#waitingCharacters -= content.length;
      waiting.reject(error);
    };
    held.finally(() => this.#held--).then(push, refuse);
  }

  /** Resolves when the queue is empty. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#take();
      try {
        const first = await this.#append(taken.map(({ envelope }) => envelope));
        for (const [i, { resolve }] of taken.entries()) resolve(first + i);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    // In the same turn: a submission in between would wait for a writer that has ended.
    this.#writing = null;
  }

  /** Takes the oldest submissions off the queue: as many as fit, at least one. */
  #take(): readonly Waiting[] {
    let count = 0;
    let characters = 0;
    for (const { envelope } of this.#waiting) {
      const longer = characters + envelope.content.length;
      if (count > 0 && (count === MAX_BATCH_ENTRIES || longer > MAX_BATCH_CHARACTERS)) break;
      characters = longer;
      count++;
    }
    this.#waitingCharacters -= characters;
    return this.#waiting.splice(0, count);
  }

  /** Retries until the batch is appended; returns its first sequence number. */
  async #append(envelopes: readonly Envelope[]): Promise<number> {
    this.#head ??= await this.#log.head();
    for (;;) {
      const cleared = await this.#clear();
      const after = this.#log.tail?.() ?? this.#head;
      const batch = { ...cleared, ...this.#chain(after, envelopes) };
      const answer = await this.#log.append(batch);
      if (answer.appended) {
        this.#head = batch.head;
        return batch.after.sequence + 1;
      }
      this.#head = answer.head;
      if (answer.term !== this.#term) this.#term = null;
    }
  }

  /** The present term. A change of terms in between is found when the batch is appended. */
  async #clear(): Promise<Pick<LogBatch, "term">> {
    if (this.#clearTerm === undefined) return {};
    if (this.#term === null) {
      const term = await this.#log.term();
      await this.#clearTerm(term);
      this.#term = term;
    }
    return { term: this.#term };
  }

  #chain(after: LogHead, envelopes: readonly Envelope[]): LogBatch {
    const entries: string[] = [];
    let head = after;
    for (const [i, { content, signatures }] of envelopes.entries()) {
      const entry: LogEntry = {
        sequence: head.sequence + 1,
        previousHash: head.entryHash,
        ...this.#stampOf(i, head.entryHash),
        content,
        signatures,
      };
      head = { sequence: entry.sequence, entryHash: hashLogEntry(this.#hash, entry) };
      entries.push(formatLogEntry(entry));
    }
    return { after, head, entries };
  }

  #stampOf(place: number, previousHash: string): Pick<LogEntry, "stampedAt" | "stampedBy"> {
    if (this.#stamps === undefined) return { stampedAt: this.#clock() };
    return place === 0 ? this.#stamps.stamp(previousHash) : this.#stamps.stampBehind();
  }
}

/**
 * The reason why an entry with this envelope could not be parsed again, or would be ignored by every replica; null if
 * there is none. Such an entry would damage the log, or fill it at nobody's cost.
 */
function findFault({ content, signatures }: Envelope, maxBytes: number): string | null {
  if (content.length > maxBytes || Buffer.byteLength(content) > maxBytes)
    return `its content has more than ${maxBytes} bytes`;
  if (!content.isWellFormed()) return "its content has half of a surrogate pair, which UTF-8 cannot write";
  if (content.includes("\n")) return "its content has a line break, and an entry's content is one line";
  if (signatures.length > MAX_SIGNATURES)
    return `it has ${signatures.length} signatures, and at most ${MAX_SIGNATURES} are allowed`;
  const entry = {
    sequence: 1,
    previousHash: FIRST_PREVIOUS_HASH,
    stampedAt: 0n as Time,
    content,
    signatures,
  };
  if (!parseLogEntry(formatLogEntry(entry)).ok)
    return "a public key is 64 lower-case hex digits, and a signature is 128";
  return null;
}
