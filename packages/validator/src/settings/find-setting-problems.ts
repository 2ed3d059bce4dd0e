/** Everything that can be said about a validator's settings before anything is started. */
import type { InstanceNames, PruningSchedule } from "@callsign/api";
import { CONTACT_POINT_CHARACTERS } from "../limits/limits.ts";
import { findInstanceNameProblems } from "./instance-names.ts";
import {
  findScanProblems,
  findSequencerProblems,
  type ScanDiscovery,
  type SequencerSource,
} from "./network-settings.ts";
import { findOnboardingProblems, type OnboardingConfig } from "./onboarding-settings.ts";
import { findPruningProblems } from "./pruning-settings.ts";
import type { SettingFinding } from "./setting-finding.ts";
import { findTopUpProblems, type TopUpConfig } from "./top-up-settings.ts";
import {
  type AutoAccepts,
  findAutoAcceptProblems,
  findSweepProblems,
  type WalletSweeps,
} from "./transfer-settings.ts";

export interface CheckedSettings {
  readonly scans?: readonly string[] | ScanDiscovery | undefined;
  readonly sequencers?: SequencerSource | undefined;
  readonly onboarding?: OnboardingConfig | undefined;
  readonly contactPoint?: string | undefined;
  readonly topup?: TopUpConfig | undefined;
  readonly migrationId?: number | undefined;
  readonly migrating?: boolean | undefined;
  readonly pruningSchedule?: PruningSchedule | null | undefined;
  readonly deduplicationSeconds?: number | undefined;
  readonly spliceInstanceNames?: InstanceNames | undefined;
  readonly walletSweep?: WalletSweeps | undefined;
  readonly autoAcceptTransfers?: AutoAccepts | undefined;
}

export function findSettingProblems(settings: CheckedSettings): readonly SettingFinding[] {
  const { contactPoint = "", migrationId = 0 } = settings;
  const findings = [
    ...(settings.scans === undefined ? [] : findScanProblems(settings.scans)),
    ...findSequencerProblems(settings.sequencers),
    ...findOnboardingProblems(settings.onboarding),
    ...findTopUpProblems(settings.topup),
    ...findInstanceNameProblems(settings.spliceInstanceNames),
    ...findPruningProblems(settings.pruningSchedule, settings.deduplicationSeconds),
    ...findSweepProblems(settings.walletSweep ?? {}),
    ...findAutoAcceptProblems(settings.autoAcceptTransfers ?? {}),
  ];
  const length = [...contactPoint].length;
  if (length > CONTACT_POINT_CHARACTERS)
    findings.push({
      key: "contactPoint",
      problem: `it has ${length} characters`,
      fix: `give at most ${CONTACT_POINT_CHARACTERS}`,
    });
  if (!Number.isSafeInteger(migrationId) || migrationId < 0)
    findings.push({
      key: "migrationId",
      value: String(migrationId),
      problem: `${migrationId} is not allowed`,
      fix: "give the network's migration id, a whole number that is not negative",
    });
  if (settings.migrating === true && migrationId === 0)
    findings.push({
      key: "migrating",
      problem: "there is no migration before 0",
      fix: "give the id that the network was migrated to, or set it to false",
    });
  return findings;
}
