/**
 * Coin-changing operations of one party, one after the other, so that two of them do not fight for the same coins.
 * What users ask for comes before what automations do, except that after many in a row one of the latter has its turn.
 * The queue is bounded, and full it refuses.
 */
import { spliceError } from "@callsign/api";
import { Refusal } from "@callsign/node";

export const MAX_QUEUED = 20;
const MAX_AUTOMATIC = 20;
const MAX_IN_A_ROW = 10;

/** Who asked for an operation. */
export type Asker = "user" | "automation";

interface Queue {
  readonly user: (() => Promise<void>)[];
  readonly automation: (() => Promise<void>)[];
  /** Operations of users since an automation had its turn. */
  inARow: number;
  runningFor: Asker | null;
  running: Promise<void>;
}

export class Treasury {
  readonly #queues = new Map<string, Queue>();

  /** Whether something waits or runs. */
  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /** Runs the work when its turn has come. */
  run<T>(party: string, work: () => Promise<T>, asker: Asker = "user"): Promise<T> {
    const queue = this.#queues.get(party) ?? open();
    const waiting = queue[asker].length + (queue.runningFor === asker ? 1 : 0);
    const limit = asker === "user" ? MAX_QUEUED : MAX_AUTOMATIC;
    if (waiting >= limit) {
      const text = `${limit} operations of this wallet wait already: try again when some have ended.`;
      return Promise.reject(new Refusal(spliceError(429, text)));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    queue[asker].push(() => work().then(resolve, reject));
    if (!this.#queues.has(party)) {
      this.#queues.set(party, queue);
      queue.running = this.#drain(party, queue);
    }
    return promise;
  }

  /** When everything that waits or runs now has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ running }) => running));
  }

  async #drain(party: string, queue: Queue): Promise<void> {
    for (let asker = nextOf(queue); asker !== undefined; asker = nextOf(queue)) {
      const work = queue[asker].shift();
      queue.inARow = asker === "user" ? queue.inARow + 1 : 0;
      queue.runningFor = asker;
      await work?.();
      queue.runningFor = null;
    }
    this.#queues.delete(party);
  }
}

function open(): Queue {
  return { user: [], automation: [], inARow: 0, runningFor: null, running: Promise.resolve() };
}

function nextOf({ user, automation, inARow }: Queue): Asker | undefined {
  if (automation.length > 0 && (user.length === 0 || inARow >= MAX_IN_A_ROW)) return "automation";
  return user.length > 0 ? "user" : undefined;
}
