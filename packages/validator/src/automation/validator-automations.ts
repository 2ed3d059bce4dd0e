/** Runs all automations of a validator. */
import { type PartyId, WalletAppInstall } from "@callsign/ledger";
import { type Host, ListedRunners, type Log, SPOKEN_VERSION } from "@callsign/node";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { acceptPreapprovalProposals } from "./accept-preapproval-proposals.ts";
import { toTaskFailure } from "./attempt-outcome.ts";
import { VALIDATOR_AUTOMATIONS, type ValidatorAutomationName } from "./automation-names.ts";
import { collectRewards } from "./collect-rewards.ts";
import { completeTrafficRequests } from "./complete-traffic-requests.ts";
import { completeTransferOffers } from "./complete-transfer-offers.ts";
import { expireRequests } from "./expire-requests.ts";
import { followNewWallets } from "./follow-new-wallets.ts";
import { grantValidatorRights } from "./grant-validator-rights.ts";
import { License } from "./license.ts";
import { recordLiveness } from "./record-liveness.ts";
import { renewPreapprovals } from "./renew-preapprovals.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import { reportActivity } from "./report-activity.ts";
import type { TopUpConfig } from "./top-up-terms.ts";
import { topUpTraffic } from "./top-up-traffic.ts";
import { updateLicenseMetadata } from "./update-license-metadata.ts";

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
  readonly host: Host;
  readonly log: Log;
}

export interface AutomationSettings {
  readonly paused: ReadonlySet<ValidatorAutomationName>;
  readonly topup: TopUpConfig | undefined;
  readonly contactPoint: string;
}

export type ValidatorAutomations = ListedRunners<ValidatorAutomationName>;

export function makeAutomations(
  given: AutomationParts,
  { paused, topup, contactPoint }: AutomationSettings,
): ValidatorAutomations {
  const parts = { ...given, license: new License(given) };
  const { clock, facts, follower, host, log } = parts;
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
    followNewWallets(parts),
  ];
  return new ListedRunners(automations, {
    names: VALIDATOR_AUTOMATIONS,
    paused,
    host,
    log,
    ledgerTime: () => clock.now,
    isWhole: () => !follower.isRebuilding,
    observeTime: () => facts.observeTime(),
    reconsiderSkippedOn: WalletAppInstall,
    toFailure: toTaskFailure,
  });
}
