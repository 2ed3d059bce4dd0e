/**
 * Coin-changing operations of one party, one after the other, so that two of them do not fight for the same coins.
 * The queue is bounded, and full it refuses.
 */
import { spliceError } from "@callsign/api";
import { Refusal } from "../../http/refusal.ts";

export const MAX_QUEUED = 20;

interface Queue {
  length: number;
  last: Promise<unknown>;
}

export class Treasury {
  readonly #queues = new Map<string, Queue>();

  /** Whether something waits or runs. */
  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /** Runs the work when all that this party asked for before has ended. */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(party) ?? { length: 0, last: Promise.resolve() };
    if (queue.length >= MAX_QUEUED) {
      const text = `${MAX_QUEUED} operations of this wallet wait already: try again when some have ended.`;
      throw new Refusal(spliceError(429, text));
    }
    this.#queues.set(party, queue);
    queue.length++;
    const result = queue.last.then(work);
    queue.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.length--;
      if (queue.length === 0) this.#queues.delete(party);
    }
  }

  /** When everything that waits or runs now has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ last }) => last));
  }
}
