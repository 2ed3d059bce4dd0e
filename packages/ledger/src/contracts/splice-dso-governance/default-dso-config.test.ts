import { expect, test } from "vitest";
import { ledgerJson } from "../../daml/json-dialect.ts";
import { DsoRulesConfig } from "./declarations/dso-rules-config.ts";
import { defaultDsoConfig } from "./default-dso-config.ts";

test("a new network's governance has Splice's defaults, on the synchronizer it is founded with", () => {
  expect(DsoRulesConfig.toJson(defaultDsoConfig("global::1220ab"), ledgerJson)).toEqual({
    numUnclaimedRewardsThreshold: "10",
    numMemberTrafficContractsThreshold: "5",
    actionConfirmationTimeout: { microseconds: "3600000000" },
    svOnboardingRequestTimeout: { microseconds: "3600000000" },
    svOnboardingConfirmedTimeout: { microseconds: "3600000000" },
    voteRequestTimeout: { microseconds: "604800000000" },
    dsoDelegateInactiveTimeout: { microseconds: "70000000" },
    synchronizerNodeConfigLimits: {
      cometBft: {
        maxNumCometBftNodes: "2",
        maxNumGovernanceKeys: "2",
        maxNumSequencingKeys: "2",
        maxNodeIdLength: "50",
        maxPubKeyLength: "256",
      },
    },
    maxTextLength: "1024",
    decentralizedSynchronizer: {
      synchronizers: [
        [
          "global::1220ab",
          {
            state: "DS_Operational",
            cometBftGenesisJson: "",
            acsCommitmentReconciliationInterval: "1800",
          },
        ],
      ],
      lastSynchronizerId: "global::1220ab",
      activeSynchronizerId: "global::1220ab",
    },
  });
});
