/** The state of one automation as its operator sees it; the same shape for SVs and validators. */
import type { WireAutomationStatus } from "@callsign/api";
import { formatInstant, type Time } from "@callsign/ledger";
import type { FailedTask } from "./failed-tasks.ts";
import { SHOWN_TASKS, STUCK_FAILURES } from "./limits.ts";
import type { TaskDetails, TaskNeed } from "./task-outcome.ts";

export interface AutomationStatus<Name extends string = string> {
  readonly automation: Name;
  /** Configuration leaves it to others, or switches it off. */
  readonly paused: boolean;
  /** Tasks done since the process started. */
  readonly done: number;
  /** Attempts that found the work done by another process. */
  readonly lost: number;
  /** Attempts that failed although the work was still to be done. */
  readonly failed: number;
  readonly inFlight: number;
  /** The number of waiting tasks; `waits` names the first few. */
  readonly waiting: number;
  readonly waits: readonly AutomationWait[];
  /** The ledger time at which the next task falls due; null if none is known. */
  readonly nextDueAt: Time | null;
  /** The ledger time of the last task done; null if there is none since the start. */
  readonly lastDoneAt: Time | null;
  /** The first few tasks that keep failing. */
  readonly stuck: readonly StuckTask[];
}

export interface AutomationWait {
  readonly task: string;
  /** The task waits for its turn after other SVs, for its retry after a failure, for coin, or for confirmations of other SVs. */
  readonly for: "turn" | "another try" | "confirmations" | TaskNeed;
  /** The reason of the last failure, or of the wait; null before the first attempt. */
  readonly reason: string | null;
  /** Facts about a task that waits; null if there are none. */
  readonly details: TaskDetails | null;
}

export interface StuckTask {
  readonly task: string;
  readonly failures: number;
  readonly reason: string;
}

/** The part of a status that is about the present tasks. */
export type TasksStatus = Pick<AutomationStatus, "inFlight" | "waiting" | "waits" | "stuck">;

export interface StatusTask {
  readonly key: string;
  readonly isInFlight: boolean;
  /** Undefined if it has not failed. */
  readonly failure: FailedTask | undefined;
}

/** All tasks are counted; waits and stuck tasks are named up to `SHOWN_TASKS`. */
export function statusOfTasks(tasks: readonly StatusTask[]): TasksStatus {
  const waiting = tasks.filter(({ isInFlight }) => !isInFlight);
  const stuck = tasks.flatMap(({ failure }) =>
    failure === undefined || failure.failures < STUCK_FAILURES ? [] : [failure],
  );
  return {
    inFlight: tasks.length - waiting.length,
    waiting: waiting.length,
    waits: waiting.slice(0, SHOWN_TASKS).map(({ key, failure }) => ({
      task: key,
      for: failure === undefined ? "turn" : (failure.needs ?? "another try"),
      reason: failure?.reason ?? null,
      details: failure?.details ?? null,
    })),
    stuck: stuck.slice(0, SHOWN_TASKS).map(({ key, failures, reason }) => ({ task: key, failures, reason })),
  };
}

/** The status of an automation that does nothing here. */
export function pausedStatus<Name extends string>(automation: Name): AutomationStatus<Name> {
  return {
    ...{ automation, paused: true, done: 0, lost: 0, failed: 0, inFlight: 0, waiting: 0 },
    ...{ waits: [], nextDueAt: null, lastDoneAt: null, stuck: [] },
  };
}

/** A status as `GET /v0/admin/automations` answers it. */
export function formatAutomationStatus(status: AutomationStatus): WireAutomationStatus {
  const { automation, paused, done, lost, failed, inFlight, waiting, waits, stuck } = status;
  return {
    ...{ automation, paused, done, lost, failed, waiting },
    in_flight: inFlight,
    waits: [...waits],
    stuck: [...stuck],
    next_due_at: formatTime(status.nextDueAt),
    last_done_at: formatTime(status.lastDoneAt),
  };
}

function formatTime(time: Time | null): string | null {
  return time === null ? null : formatInstant(time);
}
