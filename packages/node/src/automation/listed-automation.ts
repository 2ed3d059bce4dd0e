/** An automation whose due tasks are listed page by page, asynchronously: the kind that a validator has. */
import type { AnyTemplateDeclaration, Time } from "@callsign/ledger";
import type { RetryLimits } from "./limits.ts";
import type { TaskOutcome } from "./task-outcome.ts";

export interface ListedAutomation<Name extends string = string> {
  /** Its name in configuration, metrics and status. */
  readonly name: Name;
  /** Templates whose contracts may make a task due when one is created or archived. */
  readonly concerns: readonly AnyTemplateDeclaration[];
  /** A page of the tasks due at that time, ordered by task and behind the given one; the last page is empty. */
  readonly listDue: (now: Time, after: string) => Promise<readonly DueTask[]>;
  /** The next time at which a task falls due by time alone; null, or omitted, if none waits for time. */
  readonly nextDueAt?: (now: Time) => Promise<bigint | null>;
  /** Looks at the ledger again, and does the task unless it is stale or not for this process to do. */
  readonly perform: (task: string) => Promise<TaskOutcome>;
  /** Contracts that concern the automation were created or archived. The owners are those of all contracts of the change. */
  readonly onChanged?: (owners: ReadonlySet<string>) => void;
  /** The owners received coin. */
  readonly onPaid?: (owners: ReadonlySet<string>) => void;
  /** The pauses before retries, if not `LISTED_RETRY`. */
  readonly retry?: RetryLimits;
  /** The number of owners served at once, if not `LISTED_LIMITS.ownersAtOnce`. */
  readonly ownersAtOnce?: number;
}

export interface DueTask {
  /** Unique within the automation, for as long as the task is due. */
  readonly task: string;
  /** Tasks of one owner run one after the other. */
  readonly owner: string;
}

/** The effects of new ledger entries that automations react to. */
export interface LedgerAdvance {
  /** Entities whose contracts were created or archived. */
  readonly touched: ReadonlySet<string>;
  /** Owners of those contracts. */
  readonly owners: ReadonlySet<string>;
  /** Owners who received coin. */
  readonly paid: ReadonlySet<string>;
}

/** For an automation that never has more due tasks than fit on one page. */
export function onePage(list: (now: Time) => Promise<readonly DueTask[]>): ListedAutomation["listDue"] {
  return async (now, after) => (after === "" ? await list(now) : []);
}
