/** The automations of a validator. Configuration pauses them by these names. */
import type { ListedAutomation } from "@callsign/node";

export const VALIDATOR_AUTOMATIONS = [
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
  "follow-new-wallets",
] as const;
export type ValidatorAutomationName = (typeof VALIDATOR_AUTOMATIONS)[number];

export type ValidatorAutomation = ListedAutomation<ValidatorAutomationName>;
