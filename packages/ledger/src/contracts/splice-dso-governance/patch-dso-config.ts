/** The fields of the SVs' common configuration that a change request can change one by one. */
import { int64, text, time } from "../../daml/scalars.ts";
import { RelTime } from "../rel-time.ts";
import { patchMap, patchOptional, patchRecord, patchWhole } from "../splice-amulet/rules/patch.ts";
import type { DsoRulesConfig } from "./declarations/dso-rules-config.ts";
import { SynchronizerState } from "./declarations/synchronizer-config.ts";

const integer = patchWhole(int64);
const label = patchWhole(text);
const moment = patchWhole(time);
const span = patchWhole(RelTime);

type Synchronizers = DsoRulesConfig["decentralizedSynchronizer"];
type Synchronizer = Synchronizers["synchronizers"][number][1];
type Migration = NonNullable<DsoRulesConfig["nextScheduledSynchronizerUpgrade"]>;
type Upgrade = NonNullable<DsoRulesConfig["nextScheduledLogicalSynchronizerUpgrade"]>;

export const patchDsoConfig = patchRecord<DsoRulesConfig>({
  numUnclaimedRewardsThreshold: integer,
  numMemberTrafficContractsThreshold: integer,
  actionConfirmationTimeout: span,
  svOnboardingRequestTimeout: span,
  svOnboardingConfirmedTimeout: span,
  voteRequestTimeout: span,
  dsoDelegateInactiveTimeout: span,
  synchronizerNodeConfigLimits: patchRecord<DsoRulesConfig["synchronizerNodeConfigLimits"]>({
    cometBft: patchRecord<DsoRulesConfig["synchronizerNodeConfigLimits"]["cometBft"]>({
      maxNumCometBftNodes: integer,
      maxNumGovernanceKeys: integer,
      maxNumSequencingKeys: integer,
      maxNodeIdLength: integer,
      maxPubKeyLength: integer,
    }),
  }),
  maxTextLength: integer,
  decentralizedSynchronizer: patchRecord<Synchronizers>({
    synchronizers: patchMap(
      text,
      patchRecord<Synchronizer>({
        state: patchWhole(SynchronizerState),
        cometBftGenesisJson: label,
        acsCommitmentReconciliationInterval: patchOptional(integer),
      }),
    ),
    lastSynchronizerId: label,
    activeSynchronizerId: label,
  }),
  nextScheduledSynchronizerUpgrade: patchOptional(
    patchRecord<Migration>({ time: moment, migrationId: integer }),
  ),
  voteCooldownTime: patchOptional(span),
  nextScheduledLogicalSynchronizerUpgrade: patchOptional(
    patchRecord<Upgrade>({
      topologyFreezeTime: moment,
      upgradeTime: moment,
      newPhysicalSynchronizerSerial: integer,
      newPhysicalSynchronizerProtocolVersion: label,
    }),
  ),
});
