/**
 * Which entries a log that lost its tail gets back, by what the SVs show of their own copies. Pure: signatures and links are
 * checked before.
 *
 * Of n SVs f may be faulty, and q are a quorum. An acknowledged entry is held by q SVs, of which f may deny it: if n − q + f + 1 SVs
 * lack an entry, it was not acknowledged. An entry that f + 1 SVs hold was in the log. Length proves nothing, because one SV
 * can sign a longer chain of its own.
 */
import { requiredConfirmations, toleratedFaults } from "@callsign/ledger";
import type { LogHead } from "../log/ordered-log.ts";

/** The part of an SV's copy behind the log's end, as far as it is shown. */
export interface ShownTail {
  /** The hashes of the entries in the places behind the log's end. Empty if the copy ends before, or is the copy of another log. */
  readonly entryHashes: readonly string[];
  /** The copy has no further entries. */
  readonly isWhole: boolean;
}

/** The operator's decisions. */
export interface RestoreWords {
  /** SVs whose copies are lost: they count as lacking every entry that they have not shown. */
  readonly lost: ReadonlySet<string>;
  /** By place: the hash of the entry that stands. It decides only if the SVs leave a choice and none of them is awaited. */
  readonly kept: ReadonlyMap<number, string>;
}

export interface RestoreEvidence {
  /** The members that are SVs, by the ledger. */
  readonly svs: readonly string[];
  /** The number of the log's last entry. */
  readonly end: number;
  /** By SV, as far as they answered. */
  readonly shown: ReadonlyMap<string, ShownTail>;
  readonly words: RestoreWords;
}

export interface HeldEntry extends LogHead {
  /** The SVs that have shown it. */
  readonly holders: readonly string[];
}

export interface DecidedEntry extends HeldEntry {
  /** The entry was decided by the copies that SVs have shown, or by the operator's word. */
  readonly by: "evidence" | "word";
}

export type RestoreEnd =
  /** Nothing that was acknowledged lies beyond the restored entries. */
  | { readonly kind: "whole" }
  /** The place behind the restored entries is undecided. If no SV is awaited, the operator chooses one of the entries. */
  | {
      readonly kind: "waits";
      readonly sequence: number;
      readonly entries: readonly HeldEntry[];
      /** SVs that have not shown the place and are not declared lost. */
      readonly awaited: readonly string[];
    };

export interface RestoreDecision {
  /** To be appended behind the log's end, in this order. Also correct while the rest waits. */
  readonly restored: readonly DecidedEntry[];
  /** Not acknowledged: their holders remove them and all that follows them in their copies. */
  readonly dropped: readonly DecidedEntry[];
  readonly end: RestoreEnd;
}

/** If so many SVs lack an entry, it was not acknowledged: n − q + f + 1. */
export function countToDisprove(svs: number): number {
  return svs - requiredConfirmations(svs) + toleratedFaults(svs) + 1;
}

export function decideRestore(evidence: RestoreEvidence): RestoreDecision {
  const restored: DecidedEntry[] = [];
  const dropped: DecidedEntry[] = [];
  /** The SVs whose copies have all restored entries. The later entries of the others follow a dropped one. */
  let agreeing = new Set(evidence.svs);
  for (;;) {
    const place = readPlace(evidence, restored.length, agreeing);
    const verdict = decidePlace(place, evidence);
    if (verdict.kind === "waits") {
      const { sequence, awaited, entries } = place;
      return { restored, dropped, end: { kind: "waits", sequence, entries, awaited } };
    }
    const { standing, by } = verdict;
    dropped.push(...place.entries.filter((entry) => entry !== standing).map((entry) => ({ ...entry, by })));
    if (standing === null) return { restored, dropped, end: { kind: "whole" } };
    restored.push({ ...standing, by });
    const others = place.entries.filter((entry) => entry !== standing).flatMap(({ holders }) => holders);
    agreeing = new Set([...agreeing].filter((sv) => !others.includes(sv)));
  }
}

/** The standings of all SVs about one place of the log. Each SV counts once. */
interface Place {
  readonly sequence: number;
  readonly entries: readonly HeldEntry[];
  /** SVs that have shown that they hold no entry here. */
  readonly without: number;
  readonly lost: number;
  readonly awaited: readonly string[];
}

function readPlace({ svs, end, shown, words }: RestoreEvidence, i: number, agreeing: Set<string>): Place {
  const holdersOf = new Map<string, string[]>();
  const awaited: string[] = [];
  let [without, lost] = [0, 0];
  for (const sv of new Set(svs)) {
    const tail = shown.get(sv);
    const entryHash = agreeing.has(sv) ? tail?.entryHashes[i] : undefined;
    if (entryHash !== undefined) holdersOf.set(entryHash, [...(holdersOf.get(entryHash) ?? []), sv]);
    else if (!agreeing.has(sv) || tail?.isWhole === true) without++;
    else if (words.lost.has(sv)) lost++;
    else awaited.push(sv);
  }
  const sequence = end + i + 1;
  const entries = [...holdersOf].map(([entryHash, holders]) => ({ sequence, entryHash, holders }));
  return { sequence, entries: entries.sort(byHolders), without, lost, awaited };
}

/** The entry with the most holders first; the order of hashes decides between equals, everywhere alike. */
function byHolders(a: HeldEntry, b: HeldEntry): number {
  return b.holders.length - a.holders.length || (a.entryHash < b.entryHash ? -1 : 1);
}

type Verdict =
  /** A null entry: the log ends before this place. */
  | { readonly kind: "decided"; readonly standing: HeldEntry | null; readonly by: "evidence" | "word" }
  | { readonly kind: "waits" };

function decidePlace(place: Place, { svs, words }: RestoreEvidence): Verdict {
  const n = new Set(svs).size;
  const kept = place.entries.find(({ entryHash }) => entryHash === words.kept.get(place.sequence));
  const proven = weigh(place, { n, lacking: place.without, kept });
  if (proven !== undefined) return { kind: "decided", standing: proven, by: "evidence" };
  if (kept !== undefined && place.awaited.length === 0)
    return { kind: "decided", standing: kept, by: "word" };
  const told = weigh(place, { n, lacking: place.without + place.lost, kept });
  return told === undefined ? { kind: "waits" } : { kind: "decided", standing: told, by: "word" };
}

interface Weights {
  readonly n: number;
  /** SVs without any entry in this place. */
  readonly lacking: number;
  readonly kept: HeldEntry | undefined;
}

/** The entry that stands, null if none does, or undefined if that cannot be told. */
function weigh({ entries }: Place, { n, lacking, kept }: Weights): HeldEntry | null | undefined {
  const enough = countToDisprove(n);
  const holding = entries.reduce((sum, { holders }) => sum + holders.length, 0);
  const isHeld = ({ holders }: HeldEntry) => holders.length > toleratedFaults(n);
  const isUnrivalled = ({ holders }: HeldEntry) => holders.length + lacking >= enough;
  const standing = entries.filter((entry) => isHeld(entry) && isUnrivalled(entry));
  // If several may stand, none of them was acknowledged: each disproves the others.
  if (standing.length > 0) return kept !== undefined && standing.includes(kept) ? kept : standing[0];
  const isDisproved = ({ holders }: HeldEntry) => holding - holders.length + lacking >= enough;
  // An entry that nobody has shown is lacking everywhere as well.
  return entries.every(isDisproved) && holding + lacking >= enough ? null : undefined;
}
