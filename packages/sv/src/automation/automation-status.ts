/** What can be seen of each automation of an SV: what it did, what it waits for, how often another was faster. */
import type { Time } from "@callsign/ledger";
import type { Automation } from "./task.ts";

export interface AutomationStatus {
  readonly automation: Automation;
  /** Whether this SV's configuration leaves it to the others. */
  readonly paused: boolean;
  /** Submissions that the ledger took, since the SV started. */
  readonly done: number;
  /** Refused because another had done the work. */
  readonly lost: number;
  /** Refused, or not heard of, though the work was still to be done. */
  readonly failed: number;
  /** Submissions under way. */
  readonly inFlight: number;
  /** How many tasks wait, for whatever. */
  readonly waiting: number;
  /** The first few of those that wait. */
  readonly waits: readonly AutomationWait[];
  /** When time alone makes the next of it due; null if nothing is known to fall due. */
  readonly nextDueAt: Time | null;
  /** The record time at which the ledger last took something of it; null if it has not since the SV started. */
  readonly lastDoneAt: Time | null;
  /** Tasks that failed again and again: the first few. */
  readonly stuck: readonly StuckTask[];
}

export interface AutomationWait {
  readonly task: string;
  /** Its turn, as others come first; another try, after it failed; or that enough other SVs confirm the same. */
  readonly for: "turn" | "another try" | "confirmations";
  /** Why it failed; null unless it waits for another try. */
  readonly reason: string | null;
}

export interface StuckTask {
  readonly task: string;
  readonly failures: number;
  readonly reason: string;
}
