/**
 * The replica's verdicts on entries that a submission under way may be: those behind the head at which the oldest
 * submission began. Submissions may overlap for hours, so each that ends drops the verdicts that no other can need.
 */
import type { LedgerError, Outcome, Verdict } from "@callsign/ledger";

/** A verdict without its transaction, which may be large. */
export type EntryVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly error: LedgerError }
  | { readonly kind: "ignored"; readonly reason: string };

export class EntryVerdicts {
  /** By sequence number, the lowest first. */
  readonly #verdicts = new Map<number, EntryVerdict>();
  /** Submissions under way, the oldest first, each with the replica's head at its start. */
  readonly #submissions = new Set<{ readonly head: number }>();

  get size(): number {
    return this.#verdicts.size;
  }

  /** A submission begins: its entry comes behind this head. Returns a function that ends it. */
  begin(head: number): () => void {
    const submission = { head };
    this.#submissions.add(submission);
    return () => {
      this.#submissions.delete(submission);
      const [oldest] = this.#submissions;
      for (const sequence of this.#verdicts.keys()) {
        if (oldest !== undefined && sequence > oldest.head) return;
        this.#verdicts.delete(sequence);
      }
    };
  }

  /** Keeps the verdicts of a page while a submission is under way. */
  take(outcomes: readonly Pick<Outcome, "head" | "verdict">[]): void {
    if (this.#submissions.size === 0) return;
    for (const { head, verdict } of outcomes) this.#verdicts.set(head.sequence, withoutEffects(verdict));
  }

  find(sequence: number): EntryVerdict | undefined {
    return this.#verdicts.get(sequence);
  }
}

function withoutEffects(verdict: Verdict): EntryVerdict {
  if (verdict.kind === "accepted") return { kind: "accepted" };
  return verdict.kind === "rejected" ? { kind: "rejected", error: verdict.error } : verdict;
}
