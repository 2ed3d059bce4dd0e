/** The pruning schedule of the participant. */
import { parseSchedule } from "@callsign/participant";
import type { KeyReader } from "./key-reader.ts";
import type { ScheduleSettings } from "./setups.ts";

export const DEDUPLICATION_SECONDS: number = 24 * 3600;
const PATH = "participantPruningSchedule";

/** Null if there is none. */
export function readSchedule(reader: KeyReader): ScheduleSettings | null {
  const names = ["cron", "maxDuration", "retention"] as const;
  if (!names.some((name) => reader.has(`${PATH}.${name}`))) return null;
  const [cron, maxDuration, retention] = names.map((name) => reader.text(`${PATH}.${name}`));
  for (const name of names)
    reader.require(`${PATH}.${name}`, "Give cron, maxDuration and retention together, or none");
  if (cron === undefined || maxDuration === undefined || retention === undefined) return null;
  const schedule = parseSchedule({ cron, maxDuration, retention });
  if (!schedule.ok) {
    const field = names.find((name) => schedule.error.startsWith(`${name}:`)) ?? "cron";
    reader.refuse(
      `${PATH}.${field}`,
      `cannot be used: ${schedule.error.replace(/^\w+: /, "")}`,
      "Write it as the section Pruning of docs/configuration.md says",
    );
    return null;
  }
  const deduplication = reader.number("deduplicationDuration") ?? DEDUPLICATION_SECONDS;
  if (schedule.value.retentionMicroseconds <= BigInt(Math.ceil(deduplication)) * 1_000_000n) {
    const problem = `is not longer than the deduplicationDuration of ${deduplication} seconds`;
    reader.refuse(`${PATH}.retention`, problem, "Give a longer one, such as 48h or 30d");
  }
  return schedule.value.texts;
}
