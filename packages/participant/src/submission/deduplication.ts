/** The period in which a command may be accepted only once: read, resolved to its start, and checked. */
import type { Commands, DeduplicationPeriod } from "@callsign/api";
import { MAX_DEDUPLICATION_PERIOD, SECOND, type Time, timeFromMicros } from "@callsign/ledger";
import { failWith } from "../requests/identifiers.ts";
import { readDuration } from "../requests/read-duration.ts";
import type { LedgerStore } from "../store/ledger-store.ts";

export type Deduplication =
  | { readonly kind: "longest" }
  | { readonly kind: "duration"; readonly microseconds: bigint; readonly given: DeduplicationPeriod }
  | { readonly kind: "offset"; readonly offset: number; readonly given: DeduplicationPeriod };

const LONGEST = `${MAX_DEDUPLICATION_PERIOD / SECOND}s`;

export function readDeduplication(given: Commands["deduplicationPeriod"]): Deduplication {
  if (given === null || "Empty" in given) return { kind: "longest" };
  if ("DeduplicationOffset" in given) {
    const offset = given.DeduplicationOffset.value;
    if (offset < 0) {
      return failWith("NEGATIVE_OFFSET", `The deduplication offset ${offset} is negative`);
    }
    return offset === 0 ? { kind: "longest" } : { kind: "offset", offset, given };
  }
  const microseconds = readDuration(given.DeduplicationDuration.value, "deduplication_period");
  if (microseconds <= MAX_DEDUPLICATION_PERIOD) return { kind: "duration", microseconds, given };
  const cause = `The deduplication period is longer than the longest allowed one, ${LONGEST}`;
  const context = { longest_duration: LONGEST };
  return failWith("INVALID_DEDUPLICATION_PERIOD", cause, { context });
}

/** Null for the longest period. */
export async function findDeduplicationStart(
  ledger: LedgerStore,
  deduplication: Deduplication,
  now: Time,
): Promise<Time | null> {
  switch (deduplication.kind) {
    case "longest":
      return null;
    case "duration":
      return timeFromMicros(now - deduplication.microseconds);
    case "offset": {
      const { offset } = deduplication;
      checkDeduplicationOffset(offset, ledger.prunedUpTo);
      const time = await ledger.findRecordTime(offset);
      if (time !== undefined) return timeFromMicros(time + 1n);
      const cause = `Deduplication offset (${offset}) is after ledger end (${ledger.end})`;
      return failWith("OFFSET_AFTER_LEDGER_END", cause);
    }
  }
}

/** Completions before the pruned offset are gone in part: no answer would be certain. */
function checkDeduplicationOffset(offset: number, prunedUpTo: number): void {
  if (offset >= prunedUpTo) return;
  const cause = `The deduplication offset ${offset} precedes pruned offset ${prunedUpTo}: name that one or a later one`;
  const context = { longest_duration: LONGEST, earliest_offset: String(prunedUpTo) };
  failWith("INVALID_DEDUPLICATION_PERIOD", cause, { context });
}

export async function checkNotDuplicate(
  ledger: LedgerStore,
  { key, commandId }: { readonly key: string; readonly commandId: string },
  since: Time,
): Promise<void> {
  const earlier = await ledger.findAccepted(key);
  if (earlier === undefined || earlier.recordTime < since) return;
  failWith("DUPLICATE_COMMAND", `Command ${commandId} was accepted before`, {
    context: { existing_submission_id: earlier.submissionId },
    resources: [["COMMAND_ID", commandId]],
  });
}
