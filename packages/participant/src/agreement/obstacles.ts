/**
 * The reasons why a participant cannot follow its network. Each sequencer has at most one; a reason that f + 1 sequencers
 * give is certain, since one of them is honest.
 */

export type ObstacleKind =
  | "silent"
  /** The sequencer serves another network than the store is of. */
  | "other-network"
  | "not-registered"
  /** The member is registered, with other keys. */
  | "other-key"
  /** The store is ahead of the stream that the sequencer has. */
  | "store-ahead"
  /** The sequencer has another item at the store's position. */
  | "store-differs";

export interface Obstacle {
  readonly kind: ObstacleKind;
  /** A sentence for the operator, with the remedy. */
  readonly text: string;
}

/** A new participant is registered by itself, and a sequencer may come back: these are no mistakes of the operator. */
const PASSING: ReadonlySet<ObstacleKind> = new Set(["silent", "not-registered"]);
/** Only the operator can end these; a sequencer that catches up may still reach the position of a store. */
const LASTING: ReadonlySet<ObstacleKind> = new Set(["other-network", "other-key", "store-differs"]);

export class Obstacles {
  readonly #needed: number;
  readonly #obstacles = new Map<number, Obstacle>();
  readonly #onCertain: (obstacle: Obstacle) => void;
  #told: ObstacleKind | null = null;

  constructor(given: {
    readonly needed: number;
    /** Called once for an obstacle that will not pass by itself. */
    readonly onCertain: (obstacle: Obstacle) => void;
  }) {
    this.#needed = given.needed;
    this.#onCertain = given.onCertain;
  }

  note(source: number, obstacle: Obstacle): void {
    this.#obstacles.set(source, obstacle);
    const certain = this.certain;
    if (certain === null || PASSING.has(certain.kind) || certain.kind === this.#told) return;
    this.#told = certain.kind;
    this.#onCertain(certain);
  }

  clear(source: number): void {
    this.#obstacles.delete(source);
  }

  /** The number of sequencers that cannot be reached. */
  get silent(): number {
    return [...this.#obstacles.values()].filter(({ kind }) => kind === "silent").length;
  }

  /** The reason that f + 1 sequencers give; null if there is none. */
  get certain(): Obstacle | null {
    const all = [...this.#obstacles.values()];
    return all.find(({ kind }) => all.filter((other) => other.kind === kind).length >= this.#needed) ?? null;
  }

  /** The certain reason, if no waiting helps. */
  get lasting(): Obstacle | null {
    const { certain } = this;
    return certain !== null && LASTING.has(certain.kind) ? certain : null;
  }

  /** Some sequencer's reason, where no other is certain. */
  get any(): Obstacle | null {
    return [...this.#obstacles.values()].at(-1) ?? null;
  }
}
