/**
 * The entries that a replica has applied last, with their digests, from the moment on at which their page is on disk. Other
 * SVs compare them with their own: digests are chained, so two replicas that differ once differ at every later entry.
 */
import type { Head } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import { REMEMBERED_HEADS } from "../limits/limits.ts";
import type { Replica } from "./replica.ts";

export type AppliedHead = Pick<Head, "sequence" | "entryHash" | "digest">;

export class AppliedHeads {
  readonly #replica: Replica;
  readonly #heads = new BoundedMap<number, AppliedHead>({ limit: REMEMBERED_HEADS });
  #last: AppliedHead;

  constructor(replica: Replica) {
    this.#replica = replica;
    this.#last = replica.state.head;
    this.#heads.set(this.#last.sequence, this.#last);
    replica.onApplied((outcomes) => {
      for (const { head } of outcomes) {
        this.#last = head;
        this.#heads.set(head.sequence, head);
      }
    });
  }

  get last(): AppliedHead {
    return this.#last;
  }

  /** Undefined for an entry that was not applied yet, or is too long ago. */
  find(sequence: number): AppliedHead | undefined {
    return this.#heads.get(sequence);
  }

  reach(sequence: number, signal: AbortSignal): Promise<void> {
    return this.#replica.reach(sequence, signal);
  }
}
