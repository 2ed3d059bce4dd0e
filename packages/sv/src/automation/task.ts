/** One submission that an SV may make for the DSO, and who makes it first. */
import type { Command } from "@callsign/ledger";
import type { SharedTask } from "@callsign/node";

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

export interface Task extends SharedTask<Automation> {
  /** Submitted as one transaction. */
  readonly commands: readonly Command[];
}
