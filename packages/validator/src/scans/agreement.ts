/**
 * Agreement of several scans on one answer (decision 0055). Of n SVs up to f = ⌊(n−1)/3⌋ may lie or be silent, so an
 * answer that f+1 of their scans give is that of an honest one. Once two answers differ, all scans are asked, and the answer
 * has to be that of more scans than any other. With two or three SVs f is 0: then all are asked and must give the same
 * answer. A missing answer never counts as one.
 */
import { type Time, toleratedFaults } from "@callsign/ledger";

/** The contents of an answer. A refusal is an answer too: its status and message are compared. */
export type Said<T> =
  | { readonly kind: "value"; readonly value: T; readonly text: string | null; readonly key: () => string }
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly message: string;
      readonly key: () => string;
    }
  /** No answer: no connection, a timeout, nonsense, or a scan that is overloaded or starting. */
  | { readonly kind: "failure"; readonly cause: string; readonly reason: string };

export type Answered<T> = Exclude<Said<T>, { readonly kind: "failure" }>;

/** The answer of one scan, at the record time that it carries; null if it carries none. */
export interface ScanVote<S> {
  readonly said: S;
  readonly at: Time | null;
}

export interface Quorum {
  readonly scans: number;
  /** The number of equal answers that decide. */
  readonly needed: number;
  /** The number of scans asked first; the others follow if these fail, differ or are slow. */
  readonly first: number;
  /** True if a single differing answer means that there is no agreement. */
  readonly unanimous: boolean;
}

/** `svs`: the SVs on the ledger, of which some may publish no scan. Of fewer scans than f + 1 all have to agree. */
export function quorumOf(scans: number, svs: number = scans): Quorum {
  if (svs < 4) return { scans, needed: 1, first: scans, unanimous: true };
  const needed = Math.min(toleratedFaults(svs) + 1, scans);
  return { scans, needed, first: needed, unanimous: false };
}

export interface Count {
  /** Scans that were asked and have not answered yet. */
  readonly pending: number;
  readonly unasked: number;
  /** True if the others had their time: then the present answers decide. */
  readonly patienceOver: boolean;
  /** True if answers differed before in this read: then all scans are heard, as if they differed now. */
  readonly isDisputed: boolean;
}

export type Decision<V> =
  | { readonly kind: "agreed"; readonly votes: readonly V[] }
  /** Not yet: `ask` is the number of further scans to ask at once. */
  | { readonly kind: "open"; readonly ask: number }
  | { readonly kind: "none" };

export function decideAgreement<T, V extends ScanVote<Said<T>>>(
  quorum: Quorum,
  votes: readonly V[],
  count: Count,
): Decision<V> {
  const groups = groupVotes<T, V>(votes);
  const [largest = [], second = []] = groups;
  const agreed = { kind: "agreed", votes: largest } as const;
  const { pending, unasked, patienceOver } = count;
  const outstanding = pending + unasked;
  const isOver = outstanding === 0 || (patienceOver && unasked === 0);
  const isEnough = largest.length >= quorum.needed;
  if (quorum.unanimous) {
    if (groups.length > 1) return { kind: "none" };
    if (isEnough && largest.length > 0 && isOver) return agreed;
    return outstanding === 0 ? { kind: "none" } : { kind: "open", ask: unasked };
  }
  if (groups.length > 1 || count.isDisputed) {
    if (isEnough && largest.length > second.length + (isOver ? 0 : outstanding)) return agreed;
    return isOver ? { kind: "none" } : { kind: "open", ask: unasked };
  }
  if (isEnough) return agreed;
  const missing = quorum.needed - largest.length;
  if (missing > outstanding) return { kind: "none" };
  return { kind: "open", ask: Math.max(0, missing - pending) };
}

/** Equal answers together, the most frequent first. */
export function groupVotes<T, V extends ScanVote<Said<T>>>(votes: readonly V[]): readonly (readonly V[])[] {
  const groups: V[][] = [];
  for (const vote of votes) {
    if (vote.said.kind === "failure") continue;
    const group = groups.find(([first]) => first !== undefined && isSame(first.said, vote.said));
    if (group === undefined) groups.push([vote]);
    else group.push(vote);
  }
  return groups.sort((a, b) => b.length - a.length);
}

/** Answers of the same bytes are one object; others are compared whatever the order of their keys. */
export function isSame<T>(a: Said<T>, b: Said<T>): boolean {
  if (a === b) return true;
  return a.kind !== "failure" && b.kind !== "failure" && a.key() === b.key();
}

/**
 * True if asking again cannot help: the answers differ at one record time, so that some scan lies, and those that gave none
 * could not decide. `silent` is their number.
 */
export function isDispute<T, V extends ScanVote<Said<T>>>(
  quorum: Quorum,
  votes: readonly V[],
  silent: number,
): boolean {
  const [largest = [], second = []] = groupVotes<T, V>(votes);
  const times = new Set(votes.flatMap(({ said, at }) => (said.kind === "failure" ? [] : [at])));
  if (second.length === 0 || times.size > 1 || times.has(null)) return false;
  const most = largest.length + silent;
  return quorum.unanimous || most < quorum.needed || most <= second.length;
}

/**
 * The record time at which differing answers are compared again. Of many scans, the latest that enough of them have reached,
 * so that no liar can name one that never comes. Of few, which have to agree anyway, the latest of all.
 */
export function decideCommonTime(
  { needed, unanimous }: Quorum,
  votes: readonly ScanVote<Said<unknown>>[],
): Time | null {
  const times = votes.flatMap(({ said, at }) => (said.kind === "failure" || at === null ? [] : [at]));
  const latestFirst = times.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return latestFirst[unanimous ? 0 : needed - 1] ?? null;
}
