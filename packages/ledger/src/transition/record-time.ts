/**
 * The effective time of an entry: the stamp of its sequencer, moved by the network's clock offset, and always later
 * than the entry before it. An accepted move of the clock shows at once: the ledger stands at the moved time.
 */
import type { LedgerError } from "../errors/ledger-error.ts";
import { addDuration, MAX_TIME, type Time } from "../values/time.ts";
import type { EntryContent } from "./entry-content.ts";
import type { LedgerView } from "./ledger-view.ts";
import type { LogEntry } from "./log-entry.ts";
import type { Verdict } from "./outcome.ts";

export function effectiveTime({ stampedAt }: LogEntry, { head, network }: LedgerView): Time {
  const stamped = stampedAt + (network?.clockOffset ?? 0n);
  const after = head.recordTime + 1n;
  const time = stamped > after ? stamped : after;
  return (time > MAX_TIME ? MAX_TIME : time) as Time;
}

export function timeAfter(content: EntryContent | LedgerError, verdict: Verdict, now: Time): Time {
  const moved = "tag" in content && content.tag === "MoveClock" && verdict.kind === "accepted";
  return moved ? addDuration(now, content.value.forward.microseconds) : now;
}
