/** An answer on which enough scans agree, with the evidence of that. */
import { AGREED_SCANS_HEADER, RECORD_TIME_HEADER } from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import { rememberLast } from "@callsign/node";
import { MAX_NAMED_SCANS } from "../limits/limits.ts";
import type { Answered } from "./agreement.ts";
import type { PolledVote } from "./poll-scans.ts";

export interface AgreedAnswer<T> {
  readonly said: Answered<T>;
  /** Its JSON, byte by byte as all of these scans sent it; null if they differ in form, or it is no single body. */
  readonly text: string | null;
  /** The base URLs of the scans that gave it, as they are shown. */
  readonly scans: readonly string[];
  /** The earliest record time among them: the answer holds there or later. Null if one of them did not say. */
  readonly at: Time | null;
}

export function agreedAnswer<T>(said: Answered<T>, votes: readonly PolledVote<T>[]): AgreedAnswer<T> {
  let at = votes[0]?.at ?? null;
  for (const vote of votes) if (at !== null && (vote.at === null || vote.at < at)) at = vote.at;
  const isOneText = said.kind === "value" && votes.every((vote) => vote.said === said);
  return { said, text: isOneText ? said.text : null, scans: votes.map(({ scan }) => scan.shownUrl), at };
}

/** Headers of the proxy's answer. Few scans are named, whatever their number. */
export function evidenceHeaders({ scans, at }: AgreedAnswer<unknown>): Readonly<Record<string, string>> {
  const more = scans.length - MAX_NAMED_SCANS;
  const named = scans.slice(0, MAX_NAMED_SCANS).join(", ");
  return {
    [AGREED_SCANS_HEADER]: more > 0 ? `${named}, and ${more} more` : named,
    ...(at === null ? {} : { [RECORD_TIME_HEADER]: formatLast(at) }),
  };
}

/** Many answers in a row stand at the same record time. */
const formatLast = rememberLast(formatTime);
