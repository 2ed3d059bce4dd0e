/** The schedule by which the validator's participant prunes, and the time for which it refuses a command again. */
import { type PruningSchedule, parseDuration } from "@callsign/api";
import { MAX_DEDUPLICATION_PERIOD, SECOND } from "@callsign/ledger";
import { TAP_DEDUPLICATION_SECONDS } from "../limits/limits.ts";
import { type SettingFinding, shown } from "./setting-finding.ts";

const MAX_DEDUPLICATION_SECONDS = Number(MAX_DEDUPLICATION_PERIOD / SECOND);

export function findPruningProblems(
  schedule: PruningSchedule | null | undefined,
  deduplicationSeconds: number = TAP_DEDUPLICATION_SECONDS,
): readonly SettingFinding[] {
  const findings: SettingFinding[] = [];
  const isUsable =
    Number.isSafeInteger(deduplicationSeconds) &&
    deduplicationSeconds >= 1 &&
    deduplicationSeconds <= MAX_DEDUPLICATION_SECONDS;
  if (!isUsable)
    findings.push({
      key: "deduplicationSeconds",
      value: String(deduplicationSeconds),
      problem: `${deduplicationSeconds} is not allowed`,
      fix: `give 1 to ${MAX_DEDUPLICATION_SECONDS} seconds, which are seven days`,
    });
  if (schedule === null || schedule === undefined) return findings;
  for (const name of ["maxDuration", "retention"] as const) {
    const length = parseDuration(schedule[name]);
    if (!length.ok)
      findings.push({
        key: `pruningSchedule.${name}`,
        value: schedule[name],
        problem: `${shown(schedule[name])} is no length of time`,
        fix: "write a positive whole number and s, m, h or d, as in 5m, 48h or 30d",
      });
    else if (name === "retention" && isUsable && length.value <= BigInt(deduplicationSeconds) * SECOND)
      findings.push({
        key: "pruningSchedule.retention",
        value: schedule.retention,
        problem: `${schedule.retention} is not longer than the time of deduplication, ${deduplicationSeconds} s`,
        fix: "keep history for longer, such as 48h; 30d is what sequencers keep",
      });
  }
  return findings;
}
