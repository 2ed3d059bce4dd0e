/** The pruning schedule of the participant. */

import type { PruningSchedule } from "@callsign/api";
import { parseCron } from "@callsign/participant";
import type { KeyReader } from "./key-reader.ts";

const PATH = "participantPruningSchedule";

/** Null if there is none. */
export function readSchedule(reader: KeyReader): PruningSchedule | null {
  const names = ["cron", "maxDuration", "retention"] as const;
  const [cron, maxDuration, retention] = names.map((name) => reader.text(`${PATH}.${name}`));
  if (names.some((name) => reader.has(`${PATH}.${name}`)))
    for (const name of names)
      reader.require(`${PATH}.${name}`, "Give cron, maxDuration and retention together, or none");
  if (cron === undefined || maxDuration === undefined || retention === undefined) return null;
  const parsed = parseCron(cron);
  // The participant checks it again; the other two are among the validator's own checks.
  if (!parsed.ok) {
    const fix = "Write six or seven fields: second minute hour day-of-month month day-of-week [year]";
    reader.adopt([{ key: `${PATH}.cron`, problem: parsed.error, fix }]);
  }
  return { cron, maxDuration, retention };
}
