/** Which automations a validator runs, and what they are made of. */
import type { PartyId } from "@callsign/ledger";
import { type Log, SPOKEN_VERSION } from "@callsign/node";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { AUTOMATIONS, type AutomationName } from "./automation.ts";
import { Automations } from "./automations.ts";
import { collectRewards } from "./collect-rewards.ts";
import { completeTrafficRequests, completeTransferOffers } from "./complete-requests.ts";
import { expireRequests } from "./expire-requests.ts";
import { grantValidatorRights } from "./grant-validator-rights.ts";
import { License } from "./license.ts";
import { reportActivity, updateLicenseMetadata } from "./license-upkeep.ts";
import { acceptPreapprovalProposals, renewPreapprovals } from "./preapprovals.ts";
import { recordLiveness } from "./record-liveness.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import type { TopUpConfig } from "./top-up-terms.ts";
import { topUpTraffic } from "./top-up-traffic.ts";

export interface AutomationParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly clock: LedgerClock;
  readonly facts: NetworkFacts;
  readonly directory: WalletDirectory;
  readonly participant: ParticipantClient;
  readonly follower: LedgerFollower;
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
  readonly log: Log;
}

export interface AutomationSettings {
  readonly paused: readonly AutomationName[];
  readonly topup: TopUpConfig | undefined;
  readonly contactPoint: string;
}

export function makeAutomations(given: AutomationParts, settings: AutomationSettings): Automations {
  const parts = { ...given, license: new License(given.store, given.operatorParty) };
  const { paused, topup, contactPoint } = settings;
  const isWhole = () => !parts.follower.isRebuilding;
  const automations = [
    renewSubscriptions(parts),
    recordLiveness(parts),
    collectRewards(parts),
    grantValidatorRights(parts),
    ...(topup === undefined ? [] : [topUpTraffic(parts, topup)]),
    updateLicenseMetadata(parts, { version: SPOKEN_VERSION.version, contactPoint }),
    reportActivity(parts),
    completeTransferOffers(parts),
    completeTrafficRequests(parts),
    expireRequests(parts),
    acceptPreapprovalProposals(parts),
    renewPreapprovals(parts),
  ];
  return new Automations(automations, { ...parts, isWhole, paused });
}

/** A misspelt name would pause nothing. */
export function checkPaused(names: readonly string[]): readonly AutomationName[] {
  for (const name of names) {
    if (AUTOMATIONS.some((known) => known === name)) continue;
    throw new Error(
      `pausedAutomations: ${JSON.stringify(name)} is no automation of a validator; there are ${AUTOMATIONS.join(", ")}`,
    );
  }
  return names as readonly AutomationName[];
}
