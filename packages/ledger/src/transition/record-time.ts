/**
 * The effective time of an entry: the stamp of its sequencer, moved by the network's clock offset, and always later
 * than the entry before it. An accepted move of the clock shows at once: the ledger stands at the moved time.
 *
 * From protocol version 4 on a stamp counts only if an SV of the network signed it for this place in the log, and only as far
 * as the other SVs' stamps back it. Any other entry takes effect a microsecond after the one before it.
 */
import type { LedgerError } from "../errors/ledger-error.ts";
import { addDuration, MAX_TIME, type Time } from "../values/time.ts";
import { boundedStamp, type Stamp } from "./backed-time.ts";
import type { ContinueNetwork } from "./continuation-content.ts";
import type { EntryContent } from "./entry-content.ts";
import type { Verify } from "./key.ts";
import type { Change, LedgerView, Network } from "./ledger-view.ts";
import { BACKED_TIME_VERSION } from "./limits.ts";
import { type LogEntry, stampMessage } from "./log-entry.ts";
import type { Verdict } from "./outcome.ts";
import { ReplicaHalt } from "./replica-halt.ts";

/** An entry's place in time. */
export interface EntryTime {
  readonly now: Time;
  /** The stamp that counted, of an SV known by its signature; null if none did. */
  readonly stamp: Stamp | null;
}

export function effectiveTime(entry: LogEntry, view: LedgerView, verify: Verify): EntryTime {
  const { network, head } = view;
  if (network === null || network.protocolVersion < BACKED_TIME_VERSION)
    return {
      now: timeBehind(head.recordTime, plainStamp(entry) + (network?.clockOffset ?? 0n)),
      stamp: null,
    };
  const stamp = findStamp(entry, view, network, verify);
  const counted = stamp === null ? head.recordTime : boundedStamp(network, view, stamp) + network.clockOffset;
  return { now: timeBehind(head.recordTime, counted), stamp };
}

/** The stamp of an earlier protocol version. Programs of these versions cannot read any other. */
function plainStamp({ sequence, stampedAt, stampedBy }: LogEntry): Time {
  if (stampedAt !== null && stampedBy === undefined) return stampedAt;
  const form = "its stamp has the form of a later protocol version than the network's";
  throw new ReplicaHalt(`the log is damaged at entry ${sequence}: ${form}`);
}

/** The entry's stamp, if a current SV signed it for this place; null for any other. */
function findStamp(
  { previousHash, stampedAt, stampedBy }: LogEntry,
  view: LedgerView,
  { svs }: Network,
  verify: Verify,
): Stamp | null {
  if (stampedAt === null || stampedBy === undefined) return null;
  const { publicKey, signature } = stampedBy;
  const sv = svs.find((id) => view.findMember(id)?.signingKeys.includes(publicKey));
  if (sv === undefined || !verify(publicKey, stampMessage(previousHash, stampedAt), signature)) return null;
  return { sv, stampedAt };
}

/** The first stamps of a network's SVs, when it gets protocol version 4: the time of the entry, without the clock offset. */
export function firstStamps(svs: readonly string[], now: Time, clockOffset: bigint): readonly Change[] {
  const stampedAt = addDuration(now, -clockOffset);
  return svs.map((sv) => ({ kind: "stamp", sv, stampedAt }));
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
  return content.tag === "ContinueNetwork" ? continuedTime(stampedAt ?? now, content.value) : now;
}
