/** The configuration of a new network's DsoRules, for the synchronizer it runs on. */
import { DAY, HOUR, SECOND } from "../../values/duration.ts";
import { relTime } from "../rel-time.ts";
import type { DsoRulesConfig } from "./declarations/dso-rules-config.ts";

/** Participants compare what they hold of each other every half hour. */
const RECONCILIATION_INTERVAL_SECONDS = 1800n;

export function defaultDsoConfig(synchronizerId: string): DsoRulesConfig {
  return {
    numUnclaimedRewardsThreshold: 10n,
    numMemberTrafficContractsThreshold: 5n,
    actionConfirmationTimeout: relTime(HOUR),
    svOnboardingRequestTimeout: relTime(HOUR),
    svOnboardingConfirmedTimeout: relTime(HOUR),
    voteRequestTimeout: relTime(7n * DAY),
    dsoDelegateInactiveTimeout: relTime(70n * SECOND),
    synchronizerNodeConfigLimits: {
      cometBft: {
        maxNumCometBftNodes: 2n,
        maxNumGovernanceKeys: 2n,
        maxNumSequencingKeys: 2n,
        maxNodeIdLength: 50n,
        maxPubKeyLength: 256n,
      },
    },
    maxTextLength: 1024n,
    decentralizedSynchronizer: {
      synchronizers: [
        [
          synchronizerId,
          {
            state: "DS_Operational",
            // The log is ordered without CometBFT, so there is no genesis to share.
            cometBftGenesisJson: "",
            acsCommitmentReconciliationInterval: RECONCILIATION_INTERVAL_SECONDS,
          },
        ],
      ],
      lastSynchronizerId: synchronizerId,
      activeSynchronizerId: synchronizerId,
    },
    nextScheduledSynchronizerUpgrade: null,
    voteCooldownTime: null,
    nextScheduledLogicalSynchronizerUpgrade: null,
  };
}
