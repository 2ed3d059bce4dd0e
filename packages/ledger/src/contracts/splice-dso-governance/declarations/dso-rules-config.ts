/** Splice.DsoRules: what the SVs have agreed on about how they work together. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { int64, text, time } from "../../../daml/scalars.ts";
import { RelTime } from "../../rel-time.ts";
import { DsoDecentralizedSynchronizerConfig, SynchronizerNodeConfigLimits } from "./synchronizer-config.ts";

export const DsoRulesConfig = record("DsoRulesConfig", {
  numUnclaimedRewardsThreshold: int64,
  numMemberTrafficContractsThreshold: int64,
  actionConfirmationTimeout: RelTime,
  svOnboardingRequestTimeout: RelTime,
  svOnboardingConfirmedTimeout: RelTime,
  voteRequestTimeout: RelTime,
  dsoDelegateInactiveTimeout: RelTime,
  synchronizerNodeConfigLimits: SynchronizerNodeConfigLimits,
  maxTextLength: int64,
  decentralizedSynchronizer: DsoDecentralizedSynchronizerConfig,
  nextScheduledSynchronizerUpgrade: optional(
    record("SynchronizerUpgradeSchedule", { time, migrationId: int64 }),
  ),
  voteCooldownTime: optional(RelTime),
  nextScheduledLogicalSynchronizerUpgrade: optional(
    record("LogicalSynchronizerUpgradeSchedule", {
      topologyFreezeTime: time,
      upgradeTime: time,
      newPhysicalSynchronizerSerial: int64,
      newPhysicalSynchronizerProtocolVersion: text,
    }),
  ),
});
export type DsoRulesConfig = ValueOf<typeof DsoRulesConfig>;
