/** Callbacks for completions and for newly hosted parties. They run after the item is on disk. */
import type { StreamCompletion, StreamItem } from "@callsign/api";

export interface Ended {
  readonly offset: number;
  readonly completion: StreamCompletion;
  /** The text of its error. */
  readonly cause: string | null;
}

export class Completions {
  readonly #submissions = new Map<string, (ended: Ended) => void>();
  readonly #parties = new Map<string, Set<() => void>>();

  /** Calls back once. Returns a function that cancels. */
  onEnd(submissionId: string, callback: (ended: Ended) => void): () => void {
    this.#submissions.set(submissionId, callback);
    return () => this.#submissions.delete(submissionId);
  }

  onHosted(party: string, callback: () => void): () => void {
    const waiting = this.#parties.get(party) ?? new Set();
    this.#parties.set(party, waiting.add(callback));
    return () => {
      waiting.delete(callback);
      if (waiting.size === 0) this.#parties.delete(party);
    };
  }

  tell(given: { readonly offset: number; readonly item: StreamItem; readonly cause: string | null }): void {
    const { offset, item, cause } = given;
    const { completion, hostings } = item;
    if (completion !== null) this.#submissions.get(completion.submissionId)?.({ offset, completion, cause });
    for (const { party, hosted } of hostings) {
      if (hosted) for (const callback of this.#parties.get(party) ?? []) callback();
    }
  }
}
