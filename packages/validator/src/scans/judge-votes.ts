/**
 * Tells apart scans that lie and scans that lag, and says which scan gave what kind of answer. Bodies are never repeated:
 * a digest shows which answers are equal.
 */
import { formatTime, type Time } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { MAX_NAMED_SCANS } from "../limits/limits.ts";
import { groupVotes, isSame, type Quorum, type Said, type ScanVote } from "./agreement.ts";

/**
 * `lied`: it differs from the agreed answer at a record time at which enough scans gave that. `lagged`: it stands at an
 * earlier record time than all of them. `differed`: neither is certain. `answered`: there was nothing to compare with.
 */
export type VoteEnd = "agreed" | "lied" | "lagged" | "differed" | "failed" | "answered";

export function judgeVote<T, V extends ScanVote<Said<T>>>(
  { said, at }: V,
  { votes, agreed, quorum }: { readonly votes: readonly V[]; readonly agreed: readonly V[]; quorum: Quorum },
): VoteEnd {
  if (said.kind === "failure") return "failed";
  const [first] = agreed;
  if (first === undefined) return groupVotes<T, V>(votes).length > 1 ? "differed" : "answered";
  if (isSame(said, first.said)) return "agreed";
  if (at === null) return "differed";
  const times = agreed.map((vote) => vote.at);
  if (times.filter((time) => time === at).length >= quorum.needed) return "lied";
  return times.every((time) => time !== null && time > at) ? "lagged" : "differed";
}

/** A vote with the scan that gave it. */
export interface SaidVote<T> extends ScanVote<Said<T>> {
  readonly url: string;
}

/** Sentences about the kind of each scan's answer, for the caller. `pending` are scans that gave none so far. */
export function describeVotes<T>(votes: readonly SaidVote<T>[], pending: readonly string[] = []): string {
  const said = [
    ...votes.map((vote) => `${vote.url} ${describeVote(vote)}`),
    ...pending.map((url) => `${url} has not answered yet`),
  ];
  if (said.length === 0) return "No scan is known.";
  const more = said.length - MAX_NAMED_SCANS;
  const named = said.slice(0, MAX_NAMED_SCANS).join("; ");
  return `${named}${more > 0 ? `; and ${more} more` : ""}.${describeLie(votes)}`;
}

function describeVote<T>({ said, at }: SaidVote<T>): string {
  if (said.kind === "failure") return `gave no answer (${said.cause})`;
  const status = said.kind === "refusal" ? said.status : 200;
  const time = at === null ? "without a record time" : `at record time ${formatTime(at)}`;
  return `answered with status ${status} and digest ${digestOf(said.key())} ${time}`;
}

function digestOf(key: string): string {
  return sha256(key).slice(0, 8);
}

/** Empty unless different answers stand at one record time. */
function describeLie<T>(votes: readonly SaidVote<T>[]): string {
  const times = new Map<Time, SaidVote<T>[]>();
  for (const vote of votes) {
    if (vote.said.kind === "failure" || vote.at === null) continue;
    times.set(vote.at, [...(times.get(vote.at) ?? []), vote]);
  }
  for (const [time, there] of times)
    if (groupVotes<T, SaidVote<T>>(there).length > 1)
      return ` At record time ${formatTime(time)} answers differ: at least one of these scans lies.`;
  return "";
}
