/**
 * What an entry did. A rejection is an outcome like any other: replay and the waiting client see the same one.
 */
import type { CreateNode, ExerciseNode, Transaction } from "../engine/transaction.ts";
import type { LedgerError } from "../errors/ledger-error.ts";
import type { Change, Head } from "./ledger-view.ts";

export type Verdict =
  | {
      readonly kind: "accepted";
      readonly transaction: Transaction | null;
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

/** What the submitter of commands is told. */
export interface Completion {
  readonly member: string;
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly actAs: readonly string[];
}

export interface Outcome {
  readonly head: Head;
  readonly verdict: Verdict;
  readonly created: readonly CreateNode[];
  readonly archived: readonly ExerciseNode[];
  readonly changes: readonly Change[];
  readonly completion: Completion | null;
}

export function rejected(error: LedgerError, changes: readonly Change[] = []): Verdict {
  return { kind: "rejected", error, changes };
}

export function accepted(changes: readonly Change[], transaction: Transaction | null = null): Verdict {
  return { kind: "accepted", transaction, changes };
}
