/** Pruning a participant: on request, and by a schedule. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { nothing } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

const PruningSchedule = z
  .object({
    /** Second, minute, hour, day of the month, month, day of the week and maybe the year, in GMT. */
    cron: z.string(),
    /** The length of the window after each of these times: `5m`. */
    maxDuration: z.string(),
    /** Younger history stays: `48h`. */
    retention: z.string(),
  })
  .meta({ id: "PruningSchedule" });
export type PruningSchedule = Readonly<z.infer<typeof PruningSchedule>>;

const PruningStatus = z
  .object({
    /** History up to here is gone; 0 if it is whole. */
    prunedUpToInclusive: int64,
    /** True while rows are being removed. */
    isRunning: z.boolean(),
    schedule: orNull(PruningSchedule),
    /** The last window of the schedule that was used, in the network's time. */
    lastRun: orNull(z.object({ startedAt: dateTime, endedAt: dateTime, prunedUpToInclusive: int64 })),
    /** The start of the next window, in the network's time. */
    nextRunAt: orNull(dateTime),
  })
  .meta({ id: "PruningStatus" });

const schedule = json(z.object({ schedule: orNull(PruningSchedule) }));

export const participantPruning = defineEndpoints({ tags: ["pruning"], auth: "ledger:admin" })({
  getPruningSchedule: {
    method: "GET",
    path: "/v1/pruning/schedule",
    summary: "The schedule, or null: then nothing is pruned unless it is asked for",
    success: schedule,
    errors: [401, 403],
  },
  setPruningSchedule: {
    method: "PUT",
    path: "/v1/pruning/schedule",
    summary: "Prunes by this schedule from now on",
    body: PruningSchedule,
    success: schedule,
    errors: [400, 401, 403],
  },
  clearPruningSchedule: {
    method: "DELETE",
    path: "/v1/pruning/schedule",
    summary: "Prunes no more; what is gone stays gone",
    success: json(nothing),
    errors: [401, 403],
  },
  prune: {
    method: "POST",
    path: "/v1/pruning/prune",
    summary: "Gives up history up to an offset, inclusive; active contracts stay",
    description:
      "From the answer on nobody reads it. It answers when everything is removed, or after 25 seconds with " +
      "isRunning, and goes on.",
    body: z.object({ offset: int64 }).meta({ id: "Prune" }),
    success: json(z.object({ prunedUpToInclusive: int64, isRunning: z.boolean() })),
    errors: [400, 401, 403],
  },
  getPruningStatus: {
    method: "GET",
    path: "/v1/pruning/status",
    summary: "Up to where the participant is pruned, and when it will be again",
    success: json(PruningStatus),
    errors: [401, 403],
  },
});
