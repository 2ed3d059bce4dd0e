/** A pruning schedule: a cron expression, a maximal duration and a retention. */
import { type PruningSchedule, parseDuration } from "@callsign/api";
import type { Parsed } from "@callsign/ledger";
import { type Cron, parseCron } from "./cron.ts";

export interface PruningPlan {
  /** As given over the API and stored. */
  readonly texts: PruningSchedule;
  readonly retentionMicroseconds: bigint;
  /** A window opens at a time of the cron expression and closes `maxDuration` later. */
  readonly isOpen: (now: bigint) => boolean;
  /** The time at which the next window opens; null if none does. */
  readonly nextAfter: (time: bigint) => bigint | null;
}

export function parseSchedule(given: PruningSchedule): Parsed<PruningPlan> {
  const cron = parseCron(given.cron);
  if (!cron.ok) return cron;
  const maxDuration = named("maxDuration", parseDuration(given.maxDuration));
  if (!maxDuration.ok) return maxDuration;
  const retention = named("retention", parseDuration(given.retention));
  if (!retention.ok) return retention;
  return { ok: true, value: makeSchedule(given, cron.value, maxDuration.value, retention.value) };
}

function makeSchedule(
  given: PruningSchedule,
  cron: Cron,
  maxDuration: bigint,
  retention: bigint,
): PruningPlan {
  return {
    texts: { cron: cron.text, maxDuration: given.maxDuration.trim(), retention: given.retention.trim() },
    retentionMicroseconds: retention,
    isOpen: (now) => {
      const begin = cron.nextAfter(now - maxDuration);
      return begin !== null && begin <= now;
    },
    nextAfter: cron.nextAfter,
  };
}

function named(field: string, parsed: Parsed<bigint>): Parsed<bigint> {
  return parsed.ok ? parsed : { ok: false, error: `${field}: ${parsed.error}` };
}
