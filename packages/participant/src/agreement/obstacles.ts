/**
 * The reasons why a participant cannot follow its network. Each sequencer has at most one; a reason that f + 1 sequencers
 * give is certain, since one of them is honest.
 */
import type { SvQuorum } from "./sv-quorum.ts";

export type ObstacleKind =
  /** The sequencer cannot be reached, or fails. */
  | "silent"
  /** The sequencer serves another network than the store is of. */
  | "other-network"
  /** The sequencer serves an earlier or a later migration of the network: the SVs or this node were not migrated yet. */
  | "other-migration"
  /** The sequencer serves the configured migration, and the store keeps no id and is of an earlier one. */
  | "not-carried-over"
  | "not-registered"
  /** The member is registered, with other keys. */
  | "other-key"
  /** The sequencer has pruned items that the store lacks. */
  | "stream-pruned"
  /** The same for an empty store, which is filled with the present state of its parties. */
  | "state-needed"
  /** The store is ahead of the stream that the sequencer has. */
  | "store-ahead"
  /** The sequencer has another item at the store's position. */
  | "store-differs";

export interface Obstacle {
  readonly kind: ObstacleKind;
  /** A sentence for the operator, with the remedy. */
  readonly text: string;
}

/** Only the operator can end these; a sequencer that catches up may still reach the position of a store. */
const LASTING: ReadonlySet<ObstacleKind> = new Set([
  ...(["not-carried-over", "other-network", "other-key", "store-differs", "stream-pruned"] as const),
]);

interface ObstaclesParts {
  readonly sources: number;
  readonly quorum: Pick<SvQuorum, "voices">;
  /** Called once for an obstacle that will not pass by itself, and once each time that all sequencers fall silent. */
  readonly onCertain: (obstacle: Obstacle) => void;
}

export class Obstacles {
  readonly #parts: ObstaclesParts;
  readonly #obstacles = new Map<number, Obstacle>();
  #told: ObstacleKind | null = null;

  constructor(parts: ObstaclesParts) {
    this.#parts = parts;
  }

  note(source: number, obstacle: Obstacle): void {
    this.#obstacles.set(source, obstacle);
    const { certain } = this;
    if (certain === null || this.#mayPass(certain) || certain.kind === this.#told) return;
    this.#told = certain.kind;
    this.#parts.onCertain(certain);
  }

  clear(source: number): void {
    this.#obstacles.delete(source);
    if (this.#told === "silent") this.#told = null;
  }

  /** True if no sequencer can be reached. */
  get isSilent(): boolean {
    return this.#count("silent") === this.#parts.sources;
  }

  /** The reason that f + 1 sequencers give, or all of fewer; null if there is none. */
  get certain(): Obstacle | null {
    const all = [...this.#obstacles.values()];
    const { sources, quorum } = this.#parts;
    const enough = Math.min(quorum.voices, sources);
    return all.find(({ kind }) => this.#count(kind) >= enough) ?? null;
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

  /** A new participant is registered by itself, and the stream is read from the sequencers that are left. */
  #mayPass({ kind }: Obstacle): boolean {
    return kind === "not-registered" || kind === "state-needed" || (kind === "silent" && !this.isSilent);
  }

  #count(kind: ObstacleKind): number {
    return [...this.#obstacles.values()].filter((obstacle) => obstacle.kind === kind).length;
  }
}
