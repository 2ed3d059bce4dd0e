/** The copies of all SVs behind an entry, a page of each. Statements and entries that do not hold are not heard. */
import { copyPageMessage } from "@callsign/api";
import type { Hash } from "@callsign/ledger";
import { type Randomness, startDeadline, type Timers } from "@callsign/node";
import { COPY_ANSWER_MILLISECONDS } from "../limits/limits.ts";
import { checkPage } from "../log/check-page.ts";
import { type LogHead, LogTrimmed } from "../log/ordered-log.ts";
import type { StoredEntries } from "../log/sqlite-log.ts";
import type { Peer } from "../peers/peer.ts";
import type { SvSignatureHolds } from "../peers/sv-signatures.ts";
import type { ShownTail } from "./decide-restore.ts";

export interface CopySources {
  /** The SVs whose copy is on this disk. */
  readonly own: {
    readonly ids: readonly string[];
    readonly copy: StoredEntries;
    /** Throws for a term that the copy has left. Afterwards it takes nothing of earlier terms. */
    readonly enterTerm: (term: string) => void;
  };
  readonly others: readonly Peer[];
  /** The members that are SVs, by the ledger. */
  readonly svs: readonly string[];
  readonly network: string;
  readonly holds: SvSignatureHolds;
  readonly hash: Hash;
  readonly randomness: Randomness;
  readonly timers: Timers;
}

export interface TailPage extends ShownTail {
  /** The heads behind each entry. */
  readonly heads: readonly LogHead[];
  /** Canonical bytes. */
  readonly entries: readonly string[];
}

export interface AskedCopies {
  readonly shown: ReadonlyMap<string, TailPage>;
  /** By SV: the reason why it is not heard. */
  readonly silent: ReadonlyMap<string, string>;
}

/** The term is that of the log which is restored. */
export async function askCopies(place: LogHead, term: string, sources: CopySources): Promise<AskedCopies> {
  const { own, others, svs } = sources;
  const shown = new Map<string, TailPage>();
  const silent = new Map<string, string>();
  const take = async (id: string, read: () => Promise<TailPage>) => {
    try {
      shown.set(id, await read());
    } catch (error) {
      silent.set(id, error instanceof Error ? error.message : String(error));
    }
  };
  const asked = others.filter(({ id }) => svs.includes(id) && !own.ids.includes(id));
  await Promise.all([
    ...own.ids.map((id) => take(id, () => readOwn(place, sources))),
    ...asked.map((peer) => take(peer.id, () => readOther(peer, { ...place, term }, sources))),
  ]);
  for (const id of svs) if (!shown.has(id) && !silent.has(id)) silent.set(id, "it has published no URL");
  return { shown, silent };
}

const NOTHING: TailPage = { entryHashes: [], isWhole: true, heads: [], entries: [] };

async function readOwn(place: LogHead, { own: { copy }, hash }: CopySources): Promise<TailPage> {
  const start = await copy.start();
  if (place.sequence < start.sequence) throw new LogTrimmed(place.sequence, start);
  if (copy.findHash(place.sequence) !== place.entryHash) return NOTHING;
  const page = copy.readBehind(place.sequence);
  if (page.entries.length === 0) return NOTHING;
  const heads = checkPage(hash, place, { ...page, whose: "this SV's copy" });
  const isWhole = copy.findHash(page.head.sequence + 1) === null;
  return { entryHashes: hashesOf(heads), isWhole, heads, entries: page.entries };
}

async function readOther(
  peer: Peer,
  place: LogHead & { readonly term: string },
  sources: CopySources,
): Promise<TailPage> {
  const { network, holds, hash, randomness, timers } = sources;
  const nonce = Buffer.from(randomness.bytes(16)).toString("hex");
  const question = { ...place, nonce };
  const deadline = startDeadline(COPY_ANSWER_MILLISECONDS, { timers });
  const page = await peer.showCopy(question, deadline.signal).finally(() => deadline.clear());
  if (!holds(peer.id, copyPageMessage(network, peer.id, question, page), page))
    throw new Error("its answer is not signed by its key on the ledger");
  if (!page.follows) return NOTHING;
  const { entries, last: head } = page;
  const heads = checkPage(hash, place, { entries, head, whose: "the log" });
  const isWhole = head.sequence >= page.end.sequence;
  if (!isWhole && entries.length === 0) throw new Error("it shows none of the entries that it says it holds");
  return { entryHashes: hashesOf(heads), isWhole, heads, entries };
}

function hashesOf(heads: readonly LogHead[]): readonly string[] {
  return heads.map(({ entryHash }) => entryHash);
}
