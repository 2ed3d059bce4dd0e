/** Reads the participant's updates: pages up to the ledger's end, and the next one when it comes. */
import type { Transaction, Update } from "@callsign/api";
import { formatOf } from "../ledger/event-formats.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { LEDGER_PAGE, UPDATE_CALL_MILLISECONDS, UPDATE_WAIT_MILLISECONDS } from "../limits/limits.ts";

export interface FeedPage {
  readonly transactions: readonly Transaction[];
  /** Up to where all updates are in it. */
  readonly offset: number;
  /** Record times that the ledger has reached. */
  readonly recordTimes: readonly string[];
}

export interface FeedPlace {
  readonly parties: readonly string[];
  /** Updates behind this offset are read. */
  readonly after: number;
}

export class UpdateFeed {
  readonly #participant: ParticipantClient;
  readonly #signal: AbortSignal;
  #wait = new AbortController();

  constructor(participant: ParticipantClient, signal: AbortSignal) {
    this.#participant = participant;
    this.#signal = signal;
  }

  async readPage({ parties, after }: FeedPlace, end: number): Promise<FeedPage> {
    const updates = await this.#participant.client.listUpdates(
      {
        query: { limit: BigInt(LEDGER_PAGE) },
        body: { beginExclusive: after, endInclusive: end, updateFormat: formatOf(parties) },
      },
      { signal: this.#signal },
    );
    // A full page, and one that ends with a checkpoint, has more behind it.
    const last = updates.at(-1)?.update ?? {};
    const isLast = updates.length < LEDGER_PAGE && !("OffsetCheckpoint" in last);
    return toPage(updates, isLast ? end : after);
  }

  /** The first update ends the wait; the next page holds the updates that came with it. */
  async waitForNext({ parties, after }: FeedPlace): Promise<FeedPage> {
    const { signal } = this.#wait;
    try {
      const updates = await this.#participant.client.listUpdates(
        {
          query: { limit: 1n, stream_idle_timeout_ms: BigInt(UPDATE_WAIT_MILLISECONDS) },
          body: { beginExclusive: after, updateFormat: formatOf(parties) },
        },
        {
          signal: AbortSignal.any([this.#signal, signal]),
          timeoutMilliseconds: UPDATE_CALL_MILLISECONDS,
        },
      );
      return toPage(updates, after);
    } catch (error) {
      if (!signal.aborted) throw error;
      return toPage([], after);
    }
  }

  /** Ends a wait for the next update, if there is one. */
  interrupt(): void {
    this.#wait.abort();
    this.#wait = new AbortController();
  }
}

function toPage(updates: readonly Update[], upTo: number): FeedPage {
  let offset = upTo;
  const transactions: Transaction[] = [];
  const recordTimes: string[] = [];
  for (const { update } of updates) {
    if ("Transaction" in update) {
      const { value } = update.Transaction;
      transactions.push(value);
      offset = Math.max(offset, value.offset);
      recordTimes.push(value.recordTime);
    }
    if ("OffsetCheckpoint" in update) {
      const { value } = update.OffsetCheckpoint;
      offset = Math.max(offset, value.offset);
      recordTimes.push(...value.synchronizerTimes.map(({ recordTime }) => recordTime));
    }
  }
  return { transactions, offset, recordTimes };
}
