/** An automation of a validator: one function in a file of its name. Configuration pauses automations by these names. */
import type { PartyId } from "@callsign/ledger";
import type { ListedAutomation, Log } from "@callsign/node";
import type { WalletHistory } from "../history/wallet-history.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { TrackedParts } from "../wallet/tracked-requests.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";

export const VALIDATOR_AUTOMATION_NAMES = [
  "renew-subscriptions",
  "record-liveness",
  "collect-rewards",
  "mint-by-delegation",
  "grant-validator-rights",
  "top-up-traffic",
  "update-license-metadata",
  "report-activity",
  "complete-transfer-offers",
  "complete-traffic-requests",
  "expire-requests",
  "accept-preapproval-proposals",
  "renew-preapprovals",
  "renew-primary-names",
  "follow-new-wallets",
  "sweep-wallets",
  "accept-transfer-offers",
] as const;
export type ValidatorAutomationName = (typeof VALIDATOR_AUTOMATION_NAMES)[number];

export type ValidatorAutomation = ListedAutomation<ValidatorAutomationName>;

/** The parts of a validator that automations use. */
export interface AutomationParts extends TrackedParts {
  readonly history: WalletHistory;
  readonly scans: ScanGroup;
  readonly reads: AutomationReads;
  readonly directory: WalletDirectory;
  readonly dso: PartyId;
  readonly log: Log;
}
