/** Runs all automations of a validator. */
import { WalletAppInstall } from "@callsign/ledger";
import { ListedRunners, type Metrics, TriggerMetrics } from "@callsign/node";
import type { AutoAccepts, WalletSweeps } from "../settings/transfer-settings.ts";
import { acceptPreapprovalProposals } from "./accept-preapproval-proposals.ts";
import { acceptTransferOffers } from "./accept-transfer-offers.ts";
import { toTaskFailure } from "./attempt-outcome.ts";
import { collectRewards } from "./collect-rewards.ts";
import { completeTrafficRequests } from "./complete-traffic-requests.ts";
import { completeTransferOffers } from "./complete-transfer-offers.ts";
import { expireRequests } from "./expire-requests.ts";
import { followNewWallets } from "./follow-new-wallets.ts";
import { grantValidatorRights } from "./grant-validator-rights.ts";
import { License } from "./license.ts";
import { mintByDelegation } from "./mint-by-delegation.ts";
import { recordLiveness } from "./record-liveness.ts";
import { renewPreapprovals } from "./renew-preapprovals.ts";
import { renewPrimaryNames } from "./renew-primary-names.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import { reportActivity } from "./report-activity.ts";
import { sweepWallets } from "./sweep-wallets.ts";
import { type TopUpSettings, topUpTraffic } from "./top-up-traffic.ts";
import { updateLicenseMetadata } from "./update-license-metadata.ts";
import {
  type AutomationParts,
  VALIDATOR_AUTOMATION_NAMES,
  type ValidatorAutomationName,
} from "./validator-automation.ts";

export interface AutomationSettings {
  readonly paused: ReadonlySet<ValidatorAutomationName>;
  readonly topup: TopUpSettings | undefined;
  readonly walletSweep: WalletSweeps;
  readonly autoAcceptTransfers: AutoAccepts;
  readonly contactPoint: string;
  /** False if only the automations of the license run. */
  readonly enableWallet: boolean;
  /** The registry of their metrics, with the labels of the validator. */
  readonly metrics?: Metrics | undefined;
}

export type ValidatorAutomations = ListedRunners<ValidatorAutomationName>;

export function makeAutomations(given: AutomationParts, settings: AutomationSettings): ValidatorAutomations {
  const { paused, topup, walletSweep, autoAcceptTransfers, contactPoint, enableWallet, metrics } = settings;
  const parts = { ...given, license: new License(given) };
  const { clock, facts, follower, host, log } = parts;
  const ofLicense = [updateLicenseMetadata(parts, contactPoint), reportActivity(parts)];
  const ofWallets = () => [
    renewSubscriptions(parts),
    recordLiveness(parts),
    collectRewards(parts),
    mintByDelegation(parts),
    grantValidatorRights(parts),
    ...(topup === undefined ? [] : [topUpTraffic(parts, topup)]),
    completeTransferOffers(parts),
    completeTrafficRequests(parts),
    expireRequests(parts),
    acceptPreapprovalProposals(parts),
    renewPreapprovals(parts),
    renewPrimaryNames(parts),
    followNewWallets(parts),
    ...(isEmpty(walletSweep) ? [] : [sweepWallets(parts, walletSweep)]),
    ...(isEmpty(autoAcceptTransfers) ? [] : [acceptTransferOffers(parts, autoAcceptTransfers, topup)]),
  ];
  return new ListedRunners([...ofLicense, ...(enableWallet ? ofWallets() : [])], {
    ...{ names: VALIDATOR_AUTOMATION_NAMES, paused, host, log },
    ledgerTime: () => clock.now,
    isWhole: () => !follower.isRebuilding,
    observeTime: () => facts.observeTime(),
    reconsiderSkippedOn: WalletAppInstall,
    toFailure: toTaskFailure,
    metrics: metrics && new TriggerMetrics({ metrics, type: "polling" }),
  });
}

function isEmpty(settings: object): boolean {
  return Object.keys(settings).length === 0;
}
