/** The end of one attempt at a task, as a value: stale work and a lost race are no errors. */

/** The thing that a task lacks. Its arrival lets the task be retried before its pause is over. */
export type TaskNeed = "coin";

export interface TaskFailure {
  readonly kind: "failed";
  readonly reason: string;
  /** Null if only a retry after a pause can help. */
  readonly needs: TaskNeed | null;
}

/** Facts about a task that waits, by name, for the operator: its subject, and the amount that it needs and has. */
export type TaskDetails = Readonly<Record<string, string>>;

/** The task cannot be done yet, and nothing went wrong. It is retried like a failed task, and is never stuck. */
export interface TaskWait {
  readonly kind: "waiting";
  readonly reason: string;
  readonly needs: TaskNeed;
  /** Null if the reason is enough. */
  readonly details: TaskDetails | null;
}

/** The task is still to be done. */
export type TaskNotDone = TaskFailure | TaskWait;

export type TaskOutcome =
  /** The ledger accepted the work. */
  | { readonly kind: "done" }
  /** Nothing is left to do: another process was faster, or the ledger moved on. */
  | { readonly kind: "stale" }
  /** Due on the ledger, but not for this process to do: a name whose renewal is switched off. */
  | { readonly kind: "skipped" }
  | TaskNotDone;

export const DONE: { readonly kind: "done" } = { kind: "done" };
export const STALE: { readonly kind: "stale" } = { kind: "stale" };
export const SKIPPED: { readonly kind: "skipped" } = { kind: "skipped" };

export function waiting(reason: string, needs: TaskNeed, details: TaskDetails | null = null): TaskWait {
  return { kind: "waiting", reason, needs, details };
}

export function failed(reason: string, needs: TaskNeed | null = null): TaskFailure {
  return { kind: "failed", reason, needs };
}
