/** Pruning by operators: on request and by a schedule. */
import { formatInstant, type Time, timeFromMicros } from "@callsign/ledger";
import { type Timers, waitAtMost } from "@callsign/node";
import { PRUNE_WAIT_MILLISECONDS } from "../limits/limits.ts";
import type { Pruner } from "../pruning/pruner.ts";
import { parseSchedule } from "../pruning/pruning-schedule.ts";
import type { ScheduledPruning } from "../pruning/scheduled-pruning.ts";
import { invalidField } from "../requests/identifiers.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { AdminHandlers } from "./route-parts.ts";

export function pruningRoutes(parts: {
  readonly ledger: LedgerStore;
  readonly pruner: Pruner;
  readonly scheduled: ScheduledPruning;
  /** The network's time, if it is known. */
  readonly now: () => Promise<Time | undefined>;
  readonly timers: Timers;
}) {
  const { ledger, pruner, scheduled, now, timers } = parts;
  const getSchedule = () => ({ schedule: scheduled.schedule?.texts ?? null });
  const nextRunAt = async () => {
    const time = await now();
    const next = time === undefined ? null : (scheduled.schedule?.nextAfter(time) ?? null);
    return next === null ? null : formatMicros(next);
  };
  return {
    getPruningSchedule: getSchedule,
    setPruningSchedule: async ({ body }) => {
      const schedule = parseSchedule(body);
      if (!schedule.ok) throw invalidField("schedule", schedule.error);
      const time = await now();
      if (time !== undefined && schedule.value.nextAfter(time) === null) {
        throw invalidField("schedule", `${schedule.value.texts.cron} lies in the past and never comes again`);
      }
      await scheduled.set(schedule.value);
      return getSchedule();
    },
    clearPruningSchedule: async () => {
      await scheduled.set(null);
      return {};
    },
    prune: async ({ body }) => {
      await waitAtMost(pruner.prune(body.offset), PRUNE_WAIT_MILLISECONDS, timers);
      return { prunedUpToInclusive: ledger.prunedUpTo, isRunning: pruner.isRunning };
    },
    getPruningStatus: async () => {
      const { lastRun } = scheduled;
      return {
        prunedUpToInclusive: ledger.prunedUpTo,
        isRunning: pruner.isRunning,
        ...getSchedule(),
        lastRun:
          lastRun === null
            ? null
            : {
                startedAt: formatMicros(lastRun.startedAt),
                endedAt: formatMicros(lastRun.endedAt),
                prunedUpToInclusive: lastRun.prunedUpTo,
              },
        nextRunAt: await nextRunAt(),
      };
    },
  } satisfies Partial<AdminHandlers>;
}

function formatMicros(microseconds: bigint): string {
  return formatInstant(timeFromMicros(microseconds));
}
