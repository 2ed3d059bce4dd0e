/**
 * The effective time of an entry: the stamp of its sequencer, moved by the network's clock offset, and always later
 * than the entry before it. An accepted move of the clock shows at once: the ledger stands at the moved time.
 */
import type { LedgerError } from "../errors/ledger-error.ts";
import { addDuration, MAX_TIME, type Time } from "../values/time.ts";
import type { ContinueNetwork } from "./continuation-content.ts";
import type { EntryContent } from "./entry-content.ts";
import type { LedgerView } from "./ledger-view.ts";
import type { LogEntry } from "./log-entry.ts";
import type { Verdict } from "./outcome.ts";

export function effectiveTime({ stampedAt }: LogEntry, { head, network }: LedgerView): Time {
  return timeBehind(head.recordTime, stampedAt + (network?.clockOffset ?? 0n));
}

function timeBehind(last: Time, stamped: bigint): Time {
  const after = last + 1n;
  const time = stamped > after ? stamped : after;
  return (time > MAX_TIME ? MAX_TIME : time) as Time;
}

/** The time of the entry that continues an earlier log: its clock goes on, and time does not run backwards. */
export function continuedTime(stampedAt: Time, { previous, clockOffset }: ContinueNetwork): Time {
  return timeBehind(previous.recordTime, stampedAt + clockOffset);
}

/** The time at which the ledger stands after the entry. */
export function timeAfter(
  { stampedAt }: LogEntry,
  content: EntryContent | LedgerError,
  verdict: Verdict,
  now: Time,
): Time {
  if (!("tag" in content) || verdict.kind !== "accepted") return now;
  if (content.tag === "MoveClock") return addDuration(now, content.value.forward.microseconds);
  return content.tag === "ContinueNetwork" ? continuedTime(stampedAt, content.value) : now;
}
