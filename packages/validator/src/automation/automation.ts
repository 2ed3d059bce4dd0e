/** What a validator does by itself, and what an automation has to say to be run. */
import type { AnyTemplateDeclaration, Time } from "@callsign/ledger";

/** By these names each can be paused. */
export const AUTOMATIONS = [
  "renew-subscriptions",
  "record-liveness",
  "collect-rewards",
  "grant-validator-rights",
  "top-up-traffic",
  "update-license-metadata",
  "report-activity",
  "complete-transfer-offers",
  "complete-traffic-requests",
  "expire-requests",
  "accept-preapproval-proposals",
  "renew-preapprovals",
] as const;
export type AutomationName = (typeof AUTOMATIONS)[number];

/** Something that is to be done now. */
export interface Due {
  /** Names it among what this automation does, for as long as it is to be done. */
  readonly task: string;
  /** Tasks of one owner run one after the other. */
  readonly owner: string;
}

export interface Automation {
  readonly name: AutomationName;
  /** Of which templates a created or archived contract may make something due. */
  readonly reactsTo: readonly AnyTemplateDeclaration[];
  /** A page of what is due at that time, in the order of tasks and behind one; the last page is empty. */
  readonly listDue: (now: Time, after: string) => Promise<readonly Due[]>;
  /** Does it, unless the ledger shows that it need not be done any more; whether it did. */
  readonly perform: (task: string) => Promise<boolean>;
  /** These owners received coin. */
  readonly paid?: (owners: ReadonlySet<string>) => void;
  /** When time alone makes something due, on the ledger's clock; null if nothing waits for time. */
  readonly nextDueAt: (now: Time) => Promise<bigint | null>;
  /** Owners who are served at once. */
  readonly atOnce?: number;
}

/** For an automation that never has more to do than one page shows. */
export function onePage(list: (now: Time) => Promise<readonly Due[]>): Automation["listDue"] {
  return async (now, after) => (after === "" ? await list(now) : []);
}
