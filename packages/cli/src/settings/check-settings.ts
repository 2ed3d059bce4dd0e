/** The validator's own checks of its settings, as findings about the keys that they were read from. */
import { type CheckedSettings, findSettingProblems } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

/** The key of a setting, where it has another name. */
const KEYS: Readonly<Record<string, string>> = {
  "scans.seedUrls": "scanClient.seedUrls",
  "scans.svNames": "scanClient.svNames",
  "scans.threshold": "scanClient.threshold",
  "scans.url": "scanClient.scanAddress",
  "sequencers.svNames": "synchronizer.svNames",
  "sequencers.threshold": "synchronizer.threshold",
  "sequencers.url": "synchronizer.url",
  "onboarding.svUrl": "svSponsorAddress",
  "topup.minTopupIntervalSeconds": "topup.minTopupInterval",
  "pruningSchedule.cron": "participantPruningSchedule.cron",
  "pruningSchedule.maxDuration": "participantPruningSchedule.maxDuration",
  "pruningSchedule.retention": "participantPruningSchedule.retention",
  deduplicationSeconds: "deduplicationDuration",
  migrationId: "migration.id",
  migrating: "migration.migrating",
};

export function checkSettings(reader: KeyReader, settings: CheckedSettings): void {
  const problems = findSettingProblems(settings);
  reader.adopt(problems.map((problem) => ({ ...problem, key: KEYS[problem.key] ?? problem.key })));
}
