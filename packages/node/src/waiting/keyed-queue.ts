/**
 * Work under one key runs one at a time, in order; work under different keys runs at once. Urgent work goes first,
 * except that after `maxUrgentInARow` one of the others has its turn.
 */
export type Urgency = "urgent" | "ordinary";

interface Lane {
  readonly urgent: (() => Promise<void>)[];
  readonly ordinary: (() => Promise<void>)[];
  urgentInARow: number;
  running: Urgency | null;
  drained: Promise<void>;
}

export class KeyedQueue {
  readonly #lanes = new Map<string, Lane>();
  readonly #maxUrgentInARow: number;

  constructor({ maxUrgentInARow = Number.POSITIVE_INFINITY } = {}) {
    this.#maxUrgentInARow = maxUrgentInARow;
  }

  /** True while work waits or runs. */
  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  /** The amount of such work that waits or runs: for callers that bound it. */
  count(key: string, urgency: Urgency = "ordinary"): number {
    const lane = this.#lanes.get(key);
    return lane === undefined ? 0 : lane[urgency].length + (lane.running === urgency ? 1 : 0);
  }

  run<T>(key: string, work: () => Promise<T>, urgency: Urgency = "ordinary"): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const known = this.#lanes.get(key);
    const lane = known ?? openLane();
    lane[urgency].push(async () => {
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    });
    if (known === undefined) {
      this.#lanes.set(key, lane);
      lane.drained = this.#drain(key, lane);
    }
    return promise;
  }

  /** Resolves when all work that waits or runs now has ended. */
  async idle(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ drained }) => drained));
  }

  async #drain(key: string, lane: Lane): Promise<void> {
    for (let urgency = this.#next(lane); urgency !== null; urgency = this.#next(lane)) {
      const work = lane[urgency].shift();
      lane.urgentInARow = urgency === "urgent" ? lane.urgentInARow + 1 : 0;
      lane.running = urgency;
      await work?.();
      lane.running = null;
    }
    this.#lanes.delete(key);
  }

  #next({ urgent, ordinary, urgentInARow }: Lane): Urgency | null {
    if (ordinary.length > 0 && (urgent.length === 0 || urgentInARow >= this.#maxUrgentInARow))
      return "ordinary";
    return urgent.length > 0 ? "urgent" : null;
  }
}

function openLane(): Lane {
  return { urgent: [], ordinary: [], urgentInARow: 0, running: null, drained: Promise.resolve() };
}
