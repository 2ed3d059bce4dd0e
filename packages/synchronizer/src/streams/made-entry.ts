/**
 * An entry as it is absorbed: its text, and the items of its members with their digests. Replicas of one process share their
 * outcomes. Those that find the same hosts in their own states share what follows from both, too.
 */
import { isDeepStrictEqual } from "node:util";
import { kindOfUpdate } from "@callsign/api";
import type { Hash, Outcome } from "@callsign/ledger";
import type { Line } from "../replica/line-blocks.ts";
import { RecentResults } from "../replica/recent-results.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";
import {
  type FoundHosts,
  listSeeingParties,
  type Rehosting,
  type StreamEntry,
  streamEntryOf,
} from "./stream-entry.ts";
import { chainStreamDigest, EntryProjection } from "./stream-item.ts";

interface ChainedItem {
  readonly body: string;
  readonly previous: string;
  readonly offset: number;
  readonly digest: string;
}

export class MadeEntry implements Line {
  readonly sequence: number;
  /** The sequence, by which its line is found. */
  readonly key: number;
  readonly recordTime: bigint;
  /** Entries of one kind have similar texts. */
  readonly kind: string;
  /** The JSON of the entry. */
  readonly text: string;
  readonly members: ReadonlySet<string>;
  readonly #projection: EntryProjection;
  readonly #items = new Map<string, ChainedItem>();

  constructor(sequence: number, entry: StreamEntry) {
    this.sequence = sequence;
    this.key = sequence;
    this.recordTime = BigInt(entry.recordTime);
    this.kind = kindOfUpdate(entry.update);
    this.#projection = new EntryProjection(entry);
    this.text = this.#projection.text;
    this.members = this.#projection.members;
  }

  /** A member's item behind the last one of its stream. */
  itemFor(
    member: string,
    hash: Hash,
    last: { readonly offset: number; readonly digest: string },
  ): ChainedItem {
    const known = this.#items.get(member);
    if (known?.previous === last.digest && known.offset === last.offset + 1) return known;
    const body = known?.body ?? this.#projection.bodyFor(member);
    const offset = last.offset + 1;
    const digest = chainStreamDigest(hash, last.digest, offset, body);
    const item = { body, previous: last.digest, offset, digest };
    this.#items.set(member, item);
    return item;
  }
}

interface Made {
  readonly found: FoundHosts;
  readonly entry: MadeEntry | null;
}

const made = new RecentResults<Outcome, Made>();

/** Null if the outcome concerns no member with a stream. */
export function makeEntry(
  outcome: Outcome,
  rehosted: readonly Rehosting[],
  state: Pick<SqliteState, "findHosting" | "network">,
): MadeEntry | null {
  const known = made.find(outcome);
  const parties = known?.found.hosts.map(([party]) => party) ?? listSeeingParties(outcome);
  const found: FoundHosts = {
    svs: state.network?.svs ?? [],
    hosts: parties.map((party) => [party, state.findHosting(party)?.hosts ?? []]),
    rehosted,
  };
  if (known !== undefined && isDeepStrictEqual(known.found, found)) return known.entry;
  const entry = streamEntryOf(outcome, found);
  const result = { found, entry: entry === null ? null : new MadeEntry(outcome.head.sequence, entry) };
  made.remember(outcome, result);
  return result.entry;
}
