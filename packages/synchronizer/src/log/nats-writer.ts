/**
 * Appends batches to the stream, one message at a time. Batches that wait and follow each other share a message. A message names
 * the number of the one before it, and the server refuses it behind any other. Two messages are never under way at once: if
 * another sequencer's message took the place of the first, the second would fit by its number and break the chain.
 *
 * A message without an acknowledgement is resolved by reading: the message in its place is ours, another's, or missing. A missing
 * one is sent again with the same number, so that it is stored once however often it arrives.
 */
import {
  Backoff,
  CachedRead,
  type Host,
  onAbort,
  retry,
  StoreInDoubt,
  StoreUnavailable,
  startDeadline,
} from "@callsign/node";
import {
  APPEND_DOUBT_MILLISECONDS,
  APPEND_RETRY_BACKOFF,
  HEADER_BYTES,
  LARGEST_MESSAGE_BYTES,
  MAX_WAITING_BATCHES,
  SHARED_MESSAGE_BYTES,
  TERM_MILLISECONDS,
} from "../limits/limits.ts";
import { type GroupPlan, isSameHead, planGroup, type WaitingBatch } from "./append-group.ts";
import { payloadSize } from "./nats-message.ts";
import type { NatsStream } from "./nats-stream.ts";
import { type Appended, checkSize, EMPTY_HEAD, type LogBatch, type LogHead } from "./ordered-log.ts";

/** The last message of the stream. */
export interface Tail {
  readonly position: number;
  readonly head: LogHead;
}

export interface NatsWriterParts {
  readonly stream: NatsStream;
  readonly host: Host;
  /** Called with the last message after each append. */
  readonly onAppended: (tail: Tail) => void;
}

/** A message that was sent. */
interface Sent {
  readonly plan: GroupPlan;
  readonly batch: LogBatch;
  readonly expected: number;
}

interface Attempt {
  /** The message whose acknowledgement is in doubt; null if there is none. */
  sent: Sent | null;
  failure: string;
}

export class NatsWriter {
  readonly #parts: NatsWriterParts;
  readonly #term: CachedRead<string>;
  readonly #ending = new AbortController();
  readonly #waiting: WaitingBatch[] = [];
  #writing: Promise<void> | null = null;
  /** As the last answer left it; null if it has to be read. */
  #tail: Tail | null = null;
  #isClosed = false;
  #trouble: string | null = null;
  #checking: Promise<void> | null = null;

  constructor(parts: NatsWriterParts) {
    this.#parts = parts;
    this.#term = new CachedRead(() => this.#readTerm(), TERM_MILLISECONDS, parts.host.clock);
  }

  append(batch: LogBatch): Promise<Appended> {
    return new Promise((resolve, reject) => {
      checkSize(batch);
      checkBytes(batch);
      if (this.#isClosed) throw new Error("the log is closed");
      if (this.#waiting.length >= MAX_WAITING_BATCHES)
        throw new StoreUnavailable("too many batches wait for the log's NATS servers");
      this.#waiting.push({ batch, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** The reason why nothing can be appended. Asking looks whether the stream has a quorum, for the next answer. */
  get unwritable(): string | null {
    if (!this.#isClosed) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = null;
      });
    }
    return this.#trouble;
  }

  /** The present term, read anew. */
  readTerm(): Promise<string> {
    this.#term.drop();
    return this.#term.get();
  }

  async readTail(): Promise<Tail> {
    const last = await this.#parts.stream.findLast();
    return last === null ? { position: 0, head: EMPTY_HEAD } : { position: last.position, head: last.head };
  }

  /** Resolves when all batches are answered. Once the signal aborts, those without an answer are rejected. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosed = true;
    const stop = onAbort(signal, () => this.#ending.abort());
    await this.#writing;
    await this.#checking;
    stop();
  }

  async #write(): Promise<void> {
    const { timers } = this.#parts.host;
    // All appends of this turn of the event loop share the message.
    await new Promise<void>((resolve) => timers.soon(resolve));
    while (this.#waiting.length > 0) {
      const group = takeGroup(this.#waiting);
      try {
        await this.#writeGroup(group);
        this.#trouble = null;
      } catch (error) {
        this.#tail = null;
        this.#trouble = reasonOf(error);
        for (const { reject } of group) reject(error);
      }
    }
    // In the same turn: a batch in between would wait for a writer that has ended.
    this.#writing = null;
  }

  /** Answers every batch of the group, or throws. */
  async #writeGroup(group: readonly WaitingBatch[]): Promise<void> {
    const deadline = startDeadline(APPEND_DOUBT_MILLISECONDS, {
      timers: this.#parts.host.timers,
      signals: [this.#ending.signal],
    });
    const attempt: Attempt = { sent: null, failure: "" };
    try {
      await retry(() => this.#tryGroup(group, attempt), {
        backoff: new Backoff({ ...APPEND_RETRY_BACKOFF, jitter: this.#parts.host.randomness }),
        timers: this.#parts.host.timers,
        signal: deadline.signal,
        onFailure: (error) => {
          attempt.failure = String(error);
          this.#trouble = reasonOf(error);
        },
      });
    } catch (error) {
      throw deadline.signal.aborted ? unanswered(attempt, error) : error;
    } finally {
      deadline.clear();
    }
  }

  /** Throws to be called again. */
  async #tryGroup(group: readonly WaitingBatch[], attempt: Attempt): Promise<void> {
    if (attempt.sent !== null && (await this.#isResolved(attempt.sent))) return;
    attempt.sent = null;
    const needsTerm = group.some(({ batch }) => batch.term !== undefined);
    for (;;) {
      const isFresh = this.#tail === null;
      this.#tail ??= await this.readTail();
      const { head, position: expected } = this.#tail;
      const plan = planGroup(group, { head, term: needsTerm ? await this.#term.get() : null });
      // A refusal names the head that the log has now.
      if (plan.fitting.length === 0 && isFresh) return this.#answer(plan, this.#tail);
      this.#tail = null;
      if (plan.fitting.length === 0) continue;
      const batch = joinBatches(plan.fitting);
      attempt.sent = { plan, batch, expected };
      const position = await this.#parts.stream.publish(batch, expected);
      if (position !== null) return this.#answer(plan, { position, head: batch.head });
      // Refused: a message is in its place, perhaps this one sent before, or the log has lost its end.
      const tail = await this.readTail();
      if (tail.position === expected) throw new Error("the leader of the log's stream is not up to date yet");
      if (tail.position > expected && (await this.#isResolved(attempt.sent))) return;
      attempt.sent = null;
    }
  }

  /** True if the message was stored, and is answered. */
  async #isResolved({ plan, batch, expected }: Sent): Promise<boolean> {
    const found = await this.#parts.stream.findFrom(expected + 1);
    if (found === null || !isSameHead(found.head, batch.head) || !isSameHead(found.after, batch.after))
      return false;
    await this.#answer(plan, { position: found.position, head: batch.head });
    return true;
  }

  async #answer({ fitting, refused }: GroupPlan, tail: Tail): Promise<void> {
    const term = refused.length === 0 ? "" : await this.#term.get();
    this.#tail = tail;
    for (const { resolve } of fitting) resolve({ appended: true });
    for (const { waiting, head } of refused) waiting.resolve({ appended: false, head, term });
    if (fitting.length > 0) this.#parts.onAppended(tail);
  }

  async #readTerm(): Promise<string> {
    const { term } = await this.#parts.stream.readOffice();
    if (term === null) throw new StoreUnavailable("the log's stream has no leader at present");
    return term;
  }

  async #check(): Promise<void> {
    try {
      const { term, hasQuorum } = await this.#parts.stream.readOffice();
      if (term === null || !hasQuorum) this.#trouble = "too few of the log's NATS servers are there";
      // An append that is being retried knows better.
      else if (this.#writing === null) this.#trouble = null;
    } catch (error) {
      this.#trouble = reasonOf(error);
    }
  }
}

function checkBytes({ entries }: LogBatch): void {
  const bytes = payloadSize(entries);
  // The rest is for the headers.
  if (bytes <= LARGEST_MESSAGE_BYTES - HEADER_BYTES) return;
  throw new Error(
    `a batch of ${bytes} bytes does not fit into a message: at most ${LARGEST_MESSAGE_BYTES} bytes do, with ${HEADER_BYTES} for headers`,
  );
}

/** Takes the oldest batches off the queue: as many as go into one message, at least one. */
function takeGroup(waiting: WaitingBatch[]): readonly WaitingBatch[] {
  let count = 0;
  let bytes = 0;
  for (const { batch } of waiting) {
    bytes += payloadSize(batch.entries);
    if (count > 0 && bytes > SHARED_MESSAGE_BYTES) break;
    count++;
  }
  return waiting.splice(0, count);
}

/** Batches that follow each other as one. */
function joinBatches(fitting: readonly WaitingBatch[]): LogBatch {
  const first = fitting[0] as WaitingBatch;
  const last = fitting.at(-1) as WaitingBatch;
  return {
    after: first.batch.after,
    head: last.batch.head,
    entries: fitting.flatMap(({ batch }) => batch.entries),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof StoreUnavailable ? error.reason : "the log's NATS servers do not answer";
}

function unanswered({ sent, failure }: Attempt, cause: unknown): Error {
  const reason = "the log's NATS servers do not answer";
  const message = `${reason}: ${failure}`;
  return sent !== null
    ? new StoreInDoubt(`${message}; the batch may have been appended`, { reason, cause })
    : new StoreUnavailable(message, { reason, cause });
}
