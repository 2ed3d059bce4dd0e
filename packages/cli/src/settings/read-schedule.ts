/** The pruning schedule of the participant. */
import { parseSchedule } from "@callsign/participant";
import { findPruningProblems, type PruningScheduleConfig } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

const PATH = "participantPruningSchedule";
const DEDUPLICATION = "deduplicationDuration";

/** Null if there is none. */
export function readSchedule(reader: KeyReader): PruningScheduleConfig | null {
  const names = ["cron", "maxDuration", "retention"] as const;
  const [cron, maxDuration, retention] = names.map((name) => reader.text(`${PATH}.${name}`));
  const isGiven = names.some((name) => reader.has(`${PATH}.${name}`));
  if (isGiven)
    for (const name of names)
      reader.require(`${PATH}.${name}`, "Give cron, maxDuration and retention together, or none");
  const isWhole = cron !== undefined && maxDuration !== undefined && retention !== undefined;
  const schedule = isWhole ? { cron, maxDuration, retention } : null;
  const problems = findPruningProblems(schedule, reader.number(DEDUPLICATION));
  const renamed = Object.fromEntries(names.map((name) => [`pruningSchedule.${name}`, `${PATH}.${name}`]));
  reader.adopt(problems, { ...renamed, deduplicationSeconds: DEDUPLICATION });
  if (schedule === null) return null;
  const parsed = parseSchedule(schedule);
  if (!parsed.ok && problems.length === 0) {
    reader.refuse(
      `${PATH}.cron`,
      `cannot be used: ${parsed.error}`,
      "Write six or seven fields: second minute hour day-of-month month day-of-week [year]",
    );
  }
  return schedule;
}
