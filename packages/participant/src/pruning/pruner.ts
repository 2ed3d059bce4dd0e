/**
 * Prunes the store, one prune at a time. It takes at most half of the store's time: after each small transaction it
 * rests as long as that one took, so that submissions and reads go on meanwhile.
 */
import { type Host, type Log, sleep } from "@callsign/node";
import { MAX_PRUNING_REST_MILLISECONDS, MIN_PRUNING_REST_MILLISECONDS } from "../limits/limits.ts";
import { failWith } from "../requests/identifiers.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { PruningStore } from "../store/pruning-store.ts";

export interface PrunerParts {
  readonly ledger: LedgerStore;
  readonly store: PruningStore;
  readonly host: Host;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export class Pruner {
  readonly #parts: PrunerParts;
  #running: Promise<void> | null = null;

  constructor(parts: PrunerParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Finishes a prune that was interrupted by a stop of the process. */
  start(): void {
    this.#run(async () => undefined).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "unknown";
      this.#parts.log.error({ reason }, "removing pruned rows failed");
    });
  }

  /** Resolves when no prune is running. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** Prunes up to an offset, inclusive. Reads are refused at once; the promise resolves when the rows are removed. */
  async prune(offset: number): Promise<void> {
    this.#check(offset);
    await this.#run(() => this.#parts.store.advance(offset));
  }

  #check(offset: number): void {
    const { end } = this.#parts.ledger;
    if (offset <= 0) {
      const cause = `Offset ${offset} in prune_up_to is not a positive integer`;
      failWith("NON_POSITIVE_OFFSET", cause);
    }
    if (offset >= end) {
      const cause = `prune_up_to needs to be before ledger end ${end}, unlike ${offset}`;
      failWith("OFFSET_OUT_OF_RANGE", cause);
    }
    if (this.isRunning) {
      const cause = "The participant is being pruned already: try again when it is done";
      failWith("PARTICIPANT_PRUNING_IN_PROGRESS", cause);
    }
  }

  async #run(advance: () => Promise<void>): Promise<void> {
    const running = this.#removeAfter(advance).finally(() => {
      this.#running = null;
    });
    this.#running = running;
    await running;
  }

  async #removeAfter(advance: () => Promise<void>): Promise<void> {
    const { store, host, stopping: signal } = this.#parts;
    const { elapsedMilliseconds } = host.clock;
    await advance();
    while (!signal.aborted) {
      const begin = elapsedMilliseconds();
      if (!(await store.removeChunk())) return;
      const took = Math.min(elapsedMilliseconds() - begin, MAX_PRUNING_REST_MILLISECONDS);
      await sleep(Math.max(took, MIN_PRUNING_REST_MILLISECONDS), { timers: host.timers, signal });
    }
  }
}
