/** One submission that an SV may make for the DSO, and who makes it first. */
import type { Command, Hash, PartyId } from "@callsign/ledger";

/** What an SV does by itself, by the names under which each can be paused. */
export const AUTOMATIONS = [
  "decide-first-payments",
  "collect-renewals",
  "end-subscriptions",
  "expire-subscriptions",
  "expire-entries",
  "withdraw-requests",
  "expire-confirmations",
  "close-vote-requests",
  "vote-on-price",
  "remove-price-votes",
  "advance-rounds",
  "replace-config-states",
  "summarize-rounds",
  "close-rounds",
  "expire-coupons",
  "archive-rounds",
  "convert-activity-markers",
  "merge-unclaimed-rewards",
  "merge-fund-coupons",
  "merge-traffic",
  "merge-licenses",
  "merge-reward-states",
  "receive-sv-rewards",
  "allocate-activity-records",
  "expire-activity-records",
  "expire-fund-coupons",
  "expire-coin",
  "expire-locked-coin",
  "expire-preapprovals",
  "expire-transfer-instructions",
  "expire-allocations",
  "create-command-counters",
] as const;

export type Automation = (typeof AUTOMATIONS)[number];

export interface Task {
  readonly automation: Automation;
  /** The same for the same work on the same inputs, on every SV. */
  readonly key: string;
  /** What is submitted as one: all of it happens, or nothing. */
  readonly commands: readonly Command[];
  /** How many SVs have to do it: so many begin at once, the others wait and see. */
  readonly enough: number;
}

/** What each SV does for itself. */
export const EACH = Number.POSITIVE_INFINITY;

/** In which place the SV acts on a task that is not its own: by a hash of task and SV, so that the work is spread evenly. */
export function rankOf(hash: Hash, task: string, sv: PartyId, svs: readonly PartyId[]): number {
  const own = hash(`${task}\n${sv}`);
  return svs.filter((other) => hash(`${task}\n${other}`) < own).length;
}
