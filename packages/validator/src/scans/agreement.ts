/**
 * When answers of several scans are one answer. With n scans up to f = ⌊(n−1)/3⌋ may lie or be silent, so what f+1
 * of them say alike was said by an honest one. With two or three scans f is 0, and then all are asked and must say
 * the same (the architecture, "Where they differ"). What did not arrive is no answer and never counts as one.
 */

/** What one scan said. A refusal is an answer too: the same status and message. */
export type Vote<T> =
  | { readonly kind: "value"; readonly key: string; readonly value: T }
  | { readonly kind: "refusal"; readonly key: string; readonly status: number; readonly message: string }
  /** Nothing that counts: no connection, no time, no sense, or a scan that says of itself that it cannot answer. */
  | {
      readonly kind: "failure";
      readonly reason: string;
      readonly status?: number;
      readonly message?: string;
    };

export type Answered<T> = Exclude<Vote<T>, { readonly kind: "failure" }>;

export interface Quorum {
  readonly scans: number;
  /** How many equal answers decide. */
  readonly needed: number;
  /** How many are asked at once; the others when these fail, differ or take their time. */
  readonly first: number;
  /** Whether one answer that differs is enough to have none. */
  readonly unanimous: boolean;
}

export function quorumOf(scans: number): Quorum {
  if (scans < 4) return { scans, needed: 1, first: scans, unanimous: true };
  const needed = Math.floor((scans - 1) / 3) + 1;
  return { scans, needed, first: needed, unanimous: false };
}

export interface Count {
  /** Asked, and not heard from yet. */
  readonly pending: number;
  readonly unasked: number;
  /** Whether those who have not answered had their time: then the answers that are there have to do. */
  readonly patienceOver: boolean;
}

export type Decision<T> =
  | { readonly kind: "agreed"; readonly vote: Answered<T> }
  /** Not yet; `ask` more scans at once, since those that were asked cannot decide any more. */
  | { readonly kind: "open"; readonly ask: number }
  | { readonly kind: "none" };

export function decideAgreement<T>(quorum: Quorum, votes: readonly Vote<T>[], count: Count): Decision<T> {
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

/** Answers that are alike, together. */
export function groupVotes<T>(votes: readonly Vote<T>[]): readonly (readonly Answered<T>[])[] {
  const groups = new Map<string, Answered<T>[]>();
  for (const vote of votes) {
    if (vote.kind === "failure") continue;
    const group = groups.get(vote.key);
    if (group === undefined) groups.set(vote.key, [vote]);
    else group.push(vote);
  }
  return [...groups.values()];
}

/** Without an agreed answer: what enough scans gave as their reason for having none, if it is the same. */
export function findSharedFailure<T>(
  quorum: Quorum,
  votes: readonly Vote<T>[],
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
