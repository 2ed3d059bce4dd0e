/** Keeps the participant's schedule of pruning as configured: it is set if it differs, and cleared if there is none. */
import type { PruningSchedule } from "@callsign/api";
import type { Log } from "@callsign/node";
import type { ParticipantAdmin } from "../ledger/participant-admin.ts";

export async function applyPruningSchedule(
  { participantAdmin, log }: { readonly participantAdmin: ParticipantAdmin; readonly log: Log },
  wanted: PruningSchedule | null | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  const { client } = participantAdmin;
  const { schedule } = await client.getPruningSchedule();
  if (isSame(schedule, wanted)) return;
  if (wanted === null) await client.clearPruningSchedule();
  else await client.setPruningSchedule({ body: wanted });
  log.info({ before: schedule, after: wanted }, "the participant's pruning schedule was changed");
}

function isSame(present: PruningSchedule | null, wanted: PruningSchedule | null): boolean {
  if (present === null || wanted === null) return present === wanted;
  const keys = ["cron", "maxDuration", "retention"] as const;
  return keys.every((key) => present[key] === wanted[key].trim().replace(/\s+/g, " "));
}
