/**
 * Agreement of several scans on one answer. Of n scans up to f = ⌊(n−1)/3⌋ may lie or be silent, so an answer that f+1
 * of them give is that of an honest one. With two or three scans f is 0: then all are asked and must give the same
 * answer (decision 0013). A missing answer never counts as one.
 */
import { toleratedFaults } from "@callsign/ledger";

/** The answer of one scan. A refusal is an answer too: its status and message are compared. */
export type ScanVote<T> =
  | { readonly kind: "value"; readonly key: string; readonly value: T }
  | { readonly kind: "refusal"; readonly key: string; readonly status: number; readonly message: string }
  /** No answer: no connection, a timeout, nonsense, or a scan that is overloaded or starting. */
  | {
      readonly kind: "failure";
      readonly reason: string;
      readonly status?: number;
      readonly message?: string;
    };

export type Answered<T> = Exclude<ScanVote<T>, { readonly kind: "failure" }>;

export interface Quorum {
  readonly scans: number;
  /** The number of equal answers that decide. */
  readonly needed: number;
  /** The number of scans asked first; the others follow if these fail, differ or are slow. */
  readonly first: number;
  /** True if a single differing answer means that there is no agreement. */
  readonly unanimous: boolean;
}

export function quorumOf(scans: number): Quorum {
  if (scans < 4) return { scans, needed: 1, first: scans, unanimous: true };
  const needed = toleratedFaults(scans) + 1;
  return { scans, needed, first: needed, unanimous: false };
}

export interface Count {
  /** Scans that were asked and have not answered yet. */
  readonly pending: number;
  readonly unasked: number;
  /** True if the others had their time: then the present answers decide. */
  readonly patienceOver: boolean;
}

export type Decision<T> =
  | { readonly kind: "agreed"; readonly vote: Answered<T> }
  /** Not yet: `ask` is the number of further scans to ask at once. */
  | { readonly kind: "open"; readonly ask: number }
  | { readonly kind: "none" };

export function decideAgreement<T>(quorum: Quorum, votes: readonly ScanVote<T>[], count: Count): Decision<T> {
  const groups = groupVotes(votes);
  const largest = groups.reduce<readonly Answered<T>[]>((a, b) => (b.length > a.length ? b : a), []);
  const [vote] = largest;
  const { pending, unasked, patienceOver } = count;
  if (quorum.unanimous) {
    if (groups.length > 1) return { kind: "none" };
    const waiting = pending + unasked;
    if (vote !== undefined && (waiting === 0 || patienceOver)) return { kind: "agreed", vote };
    return waiting === 0 ? { kind: "none" } : { kind: "open", ask: unasked };
  }
  if (vote !== undefined && largest.length >= quorum.needed) return { kind: "agreed", vote };
  const missing = quorum.needed - largest.length;
  if (missing > pending + unasked) return { kind: "none" };
  return { kind: "open", ask: Math.max(0, missing - pending) };
}

/** Equal answers, together. */
export function groupVotes<T>(votes: readonly ScanVote<T>[]): readonly (readonly Answered<T>[])[] {
  const groups = new Map<string, Answered<T>[]>();
  for (const vote of votes) {
    if (vote.kind === "failure") continue;
    const group = groups.get(vote.key);
    if (group === undefined) groups.set(vote.key, [vote]);
    else group.push(vote);
  }
  return [...groups.values()];
}

/** The vote of the scan at a URL. */
export interface SaidVote<T> {
  readonly url: string;
  readonly vote: ScanVote<T>;
}

/** The kind of each scan's answer, one sentence for all; equal answers have equal numbers. */
export function describeVotes<T>(said: readonly SaidVote<T>[]): string {
  const groups = groupVotes(said.map(({ vote }) => vote));
  const numbers = new Map(groups.flatMap((group, i) => group.map((vote) => [vote.key, i + 1])));
  const kinds = said.map(({ url, vote }) => {
    if (vote.kind === "failure") return `${url} gave no answer`;
    const number = numbers.get(vote.key);
    return `${url} gave answer ${number}${vote.kind === "refusal" ? `, status ${vote.status}` : ""}`;
  });
  return `${kinds.join("; ")}.`;
}

/** The reason that enough scans gave alike for having no answer. */
export function findSharedFailure<T>(
  quorum: Quorum,
  votes: readonly ScanVote<T>[],
): { readonly status: number; readonly message: string } | undefined {
  const counts = new Map<string, number>();
  for (const vote of votes) {
    if (vote.kind !== "failure" || vote.status === undefined) continue;
    const { status, message = "" } = vote;
    const key = JSON.stringify([status, message]);
    const times = (counts.get(key) ?? 0) + 1;
    if (times >= (quorum.unanimous ? quorum.scans : quorum.needed)) return { status, message };
    counts.set(key, times);
  }
  return undefined;
}
