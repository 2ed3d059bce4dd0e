/** Decides what becomes of an SV's copy that has another entry than the log, by the copies that SVs have shown alone. */
import type { LogHead } from "../log/ordered-log.ts";
import { type DecidedEntry, decideRestore, type RestoreEnd, type RestoreEvidence } from "./decide-restore.ts";

export interface ForkDecision {
  /** The entry that stands in place of the log's: it is not the network's log. Null if there is none. */
  readonly standing: LogHead | null;
  /** The entry of the copy, if it was not acknowledged. */
  readonly dropped: readonly DecidedEntry[];
  /** Whole if the copy is to be cut behind the last common entry. */
  readonly end: RestoreEnd;
}

/** `evidence` is of the places behind the last common entry; `inLog` is the log's entry there; `own` are the copy's SVs. */
export function decideFork(evidence: RestoreEvidence, inLog: LogHead, own: readonly string[]): ForkDecision {
  const { words } = evidence;
  // If both entries may stand, the log's does: nothing removes it.
  const kept = new Map([...words.kept, [inLog.sequence, inLog.entryHash] as const]);
  const preferring = decideRestore({ ...evidence, words: { ...words, kept } });
  const [first] = preferring.restored;
  const isLogs = first?.by === "evidence" && first.entryHash === inLog.entryHash;
  const { restored, dropped, end } = isLogs ? preferring : decideRestore(evidence);
  const [standing] = restored;
  const isOpen = end.kind === "waits" && end.sequence === inLog.sequence;
  return {
    standing: standing === undefined || standing.entryHash === inLog.entryHash ? null : standing,
    dropped: dropped.filter(
      ({ sequence, holders }) => sequence === inLog.sequence && holders.some((id) => own.includes(id)),
    ),
    end: isOpen ? end : { kind: "whole" },
  };
}
