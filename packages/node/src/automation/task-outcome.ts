/** The end of one attempt at a task, as a value: stale work and a lost race are no errors. */

/** Something that makes a failed task worth another attempt before its pause is over. */
export type TaskNeed = "coin";

export interface TaskFailure {
  readonly kind: "failed";
  readonly reason: string;
  /** Null: a retry after a pause is all there is. */
  readonly needs: TaskNeed | null;
}

export type TaskOutcome =
  /** The ledger accepted the work. */
  | { readonly kind: "done" }
  /** Nothing is left to do: another process was faster, or the ledger moved on. */
  | { readonly kind: "stale" }
  /** Due on the ledger, but not for this process to do: a name whose renewal is switched off. */
  | { readonly kind: "skipped" }
  | TaskFailure;

export const DONE: TaskOutcome = { kind: "done" };
export const STALE: TaskOutcome = { kind: "stale" };
export const SKIPPED: TaskOutcome = { kind: "skipped" };

export function failed(reason: string, needs: TaskNeed | null = null): TaskFailure {
  return { kind: "failed", reason, needs };
}
