/**
 * The outcome of an entry. A rejection is an outcome like any other: replay and the waiting client see the same one.
 */
import {
  type CreateNode,
  type ExerciseNode,
  listArchived,
  listCreated,
  type Transaction,
} from "../engine/transaction.ts";
import type { LedgerError } from "../errors/ledger-error.ts";
import type { ImportState } from "./continuation-content.ts";
import type { Change, Head } from "./ledger-view.ts";

/** The contracts that a transaction leaves active, and those it archived. */
export interface Effects {
  readonly created: readonly CreateNode[];
  readonly archived: readonly ExerciseNode[];
}

export const NO_EFFECTS: Effects = { created: [], archived: [] };

export type Verdict =
  | {
      readonly kind: "accepted";
      readonly transaction: Transaction | null;
      readonly effects: Effects;
      readonly changes: readonly Change[];
    }
  | {
      readonly kind: "rejected";
      readonly error: LedgerError;
      readonly changes: readonly Change[];
      /** A defect of ours behind the rejection, for the log. */
      readonly defect?: Error | null;
    }
  | { readonly kind: "ignored"; readonly reason: string };

/** The ids by which the submitter of commands recognises the outcome. */
export interface Completion {
  readonly member: string;
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly actAs: readonly string[];
}

/** The sums of scans over an earlier log: they do not follow from the contracts. */
export type CarriedTotals = Pick<ImportState, "rounds" | "rewards">;

export interface Outcome extends Effects {
  readonly head: Head;
  readonly verdict: Verdict;
  readonly changes: readonly Change[];
  readonly completion: Completion | null;
  /** Not null: the entry is a part of an earlier log's state, and its contracts were created there. */
  readonly imported: CarriedTotals | null;
}

export function rejected(error: LedgerError, changes: readonly Change[] = []): Verdict {
  return { kind: "rejected", error, changes };
}

export function accepted(changes: readonly Change[]): Verdict {
  return { kind: "accepted", transaction: null, effects: NO_EFFECTS, changes };
}

export function effectsOf(transaction: Transaction): Effects {
  return { created: listCreated(transaction), archived: listArchived(transaction) };
}
