/**
 * The stream on which sequencers agree. Each delivers the digests of the participant's stream, item by item, and some deliver
 * the bodies too. An item is agreed once a quorum of the SVs delivered the same digest for its offset, and one of them a body
 * from which that digest follows, chained to the last agreed item: two quorums share an honest SV. Sequencers that deliver
 * another item are named.
 * The position to resume from is checked first: every sequencer is asked for the last stored item once more.
 */
import type { StreamPage } from "@callsign/api";
import type { Hash } from "@callsign/ledger";
import { BoundedMap } from "@callsign/node";
import { MAX_AHEAD_CHARACTERS, MAX_AHEAD_ITEMS, MAX_REMEMBERED_DIGESTS } from "../limits/limits.ts";
import type { SvQuorum } from "./sv-quorum.ts";

export type DeliveredItem = StreamPage["items"][number];

export interface StreamPosition {
  readonly offset: number;
  readonly digest: string;
}

/** An item of the stream that a quorum of the SVs has. A state that is loaded is that of a moment behind it. */
export interface StateStart extends StreamPosition {
  readonly recordTime: bigint;
}

export interface AgreedItem extends StreamPosition {
  readonly body: string;
  /** The text of an error, if f + 1 sequencers give the same; no digest covers it. */
  readonly cause: string | null;
}

const BARE = { body: null, cause: null };

export const STREAM_START: StreamPosition = { offset: 0, digest: "0".repeat(64) };

/** A sequencer's answer about the position to resume from, where it does not confirm it. */
export type ResumeFault = "ahead" | "differs";

/** The next item, if a quorum has it and nobody has delivered its body. */
export interface LackingBody {
  readonly offset: number;
  /** The sources that have the item. */
  readonly holders: readonly number[];
}

type Quorum = Pick<SvQuorum, "history" | "voices">;

/** An item as one source delivered it. A body that is present follows from the digest before. */
interface Claim extends StreamPosition {
  body: string | null;
  readonly cause: string | null;
}

interface Source {
  /** True once it has delivered the item at the position to resume from. */
  isResumed: boolean;
  /** The position of its last item. */
  tail: StreamPosition;
  /** Items behind the agreed position, in order. */
  readonly ahead: Claim[];
  characters: number;
}

export class StreamAgreement {
  readonly #hash: Hash;
  readonly #quorum: Quorum;
  readonly #sources: readonly Source[];
  readonly #remembered = new BoundedMap<number, string>({ limit: MAX_REMEMBERED_DIGESTS });
  readonly #start: StreamPosition;
  #agreed: StreamPosition;
  #isResumed = false;

  constructor(parts: {
    readonly hash: Hash;
    readonly sources: number;
    readonly quorum: Quorum;
    readonly position: StreamPosition;
  }) {
    this.#hash = parts.hash;
    this.#start = parts.position;
    this.#agreed = parts.position;
    this.#quorum = parts.quorum;
    this.#sources = Array.from({ length: parts.sources }, () => ({
      isResumed: parts.position.offset === STREAM_START.offset,
      tail: parts.position,
      ahead: [],
      characters: 0,
    }));
  }

  get agreed(): StreamPosition {
    return this.#agreed;
  }

  /** True once a quorum has the item that the stream is resumed from. */
  get isResumed(): boolean {
    this.#isResumed ||= this.#sources.filter(({ isResumed }) => isResumed).length >= this.#quorum.history;
    return this.#isResumed;
  }

  /** The offset to ask this source from, for digests alone or for bodies too; undefined while it is too far ahead. */
  nextAfter(source: number, withBodies = true): number | undefined {
    const { isResumed, ahead, characters } = this.#source(source);
    if (!isResumed && !this.isResumed) return this.#start.offset - 1;
    if (characters >= MAX_AHEAD_CHARACTERS) return undefined;
    const bare = withBodies ? ahead.find(({ body }) => body === null) : undefined;
    if (bare !== undefined) return bare.offset - 1;
    return ahead.length >= MAX_AHEAD_ITEMS ? undefined : this.#tailOf(source).offset;
  }

  /** True if this source has delivered an item behind the agreed ones. */
  isAhead(source: number): boolean {
    return this.#source(source).ahead.length > 0;
  }

  /** Null if this source confirms the position to resume from, or needs not to any more. */
  checkResumed(source: number, items: readonly DeliveredItem[]): ResumeFault | null {
    const own = this.#source(source);
    if (own.isResumed || this.isResumed) return null;
    const last = items.find(({ offset }) => offset === this.#start.offset);
    if (last === undefined) return "ahead";
    if (last.digest !== this.#start.digest) return "differs";
    own.isResumed = true;
    return null;
  }

  /** Adds delivered items, and the item before them, which was delivered earlier. Returns the fault of the delivery, or null. */
  offer(
    source: number,
    items: readonly DeliveredItem[],
    previous: StreamPosition | null = null,
  ): string | null {
    const own = this.#source(source);
    own.tail = this.#tailOf(source);
    const repeated = previous === null || previous.offset > own.tail.offset ? [] : [{ ...previous, ...BARE }];
    for (const item of [...repeated, ...items]) {
      const fault = item.offset <= this.#agreed.offset ? this.#compare(item) : this.#chain(own, item);
      if (fault !== null) {
        this.reset(source);
        return fault;
      }
    }
    return null;
  }

  /** Drops the items of a source; it is asked again from the agreed position. */
  reset(source: number): void {
    const own = this.#source(source);
    own.isResumed = this.#start.offset === STREAM_START.offset;
    own.tail = this.#agreed;
    own.ahead.length = 0;
    own.characters = 0;
  }

  /** Returns newly agreed items, in order, and the sources that had delivered other ones. */
  take(): { readonly items: readonly AgreedItem[]; readonly dissenters: readonly number[] } {
    const items: AgreedItem[] = [];
    const dissenters = new Set<number>();
    for (;;) {
      const item = this.#findAgreed();
      if (item === null) return { items, dissenters: [...dissenters] };
      items.push(item);
      for (const source of this.#advance(item)) dissenters.add(source);
    }
  }

  /** Null unless a quorum has the next item, and no source that has it delivered the body. */
  get lackingBody(): LackingBody | null {
    const holders = this.#findHolders();
    if (holders.length === 0 || holders.some(({ claim }) => claim.body !== null)) return null;
    return { offset: this.#agreed.offset + 1, holders: holders.map(({ source }) => source) };
  }

  /** The sources that deliver the next item alike, if they are a quorum. */
  #findHolders(): readonly { readonly source: number; readonly claim: Claim }[] {
    const next = this.#sources.flatMap(({ ahead: [claim] }, source) =>
      claim === undefined ? [] : [{ source, claim }],
    );
    const alike = next.map(({ claim }) => next.filter((other) => other.claim.digest === claim.digest));
    return alike.find(({ length }) => length >= this.#quorum.history) ?? [];
  }

  #findAgreed(): AgreedItem | null {
    const same = this.#findHolders().map(({ claim }) => claim);
    for (const { offset, digest, body } of same) {
      if (body === null) continue;
      const isTold = (cause: string | null) =>
        same.filter((other) => other.cause === cause).length >= this.#quorum.voices;
      return { offset, digest, body, cause: same.find(({ cause }) => isTold(cause))?.cause ?? null };
    }
    return null;
  }

  #advance(item: AgreedItem): readonly number[] {
    const { offset, digest } = item;
    this.#agreed = { offset, digest };
    this.#remembered.set(offset, digest);
    return this.#sources.flatMap((own, source) => {
      const first = own.ahead.shift();
      if (first === undefined) return [];
      own.characters -= first.body?.length ?? 0;
      if (first.digest === digest) return [];
      this.reset(source);
      return [source];
    });
  }

  /** A source that lags need not deliver items that are agreed already. */
  #tailOf(source: number): StreamPosition {
    const { tail } = this.#source(source);
    return tail.offset < this.#agreed.offset ? this.#agreed : tail;
  }

  #compare({ offset, digest }: DeliveredItem): string | null {
    const agreed = this.#remembered.get(offset);
    return agreed === undefined || agreed === digest
      ? null
      : `its digest at offset ${offset} is not the agreed one`;
  }

  /** An item behind the agreed ones: a new one of this source, or one that it delivered before, maybe without the body. */
  #chain(own: Source, { offset, digest, body, cause }: DeliveredItem): string | null {
    const place = offset - this.#agreed.offset - 1;
    const known = own.ahead[place];
    if (known === undefined && offset !== own.tail.offset + 1)
      return `it delivered offset ${offset} behind offset ${own.tail.offset}`;
    if (known !== undefined && known.digest !== digest) return `it delivered two items at offset ${offset}`;
    const isNewBody = body !== null && (known === undefined || known.body === null);
    const before = own.ahead[place - 1]?.digest ?? this.#agreed.digest;
    if (isNewBody && digest !== this.#hash(`${before}\n${offset}\n${body}`))
      return `its digest at offset ${offset} does not follow from what it delivered`;
    if (isNewBody) own.characters += body.length;
    if (known !== undefined) known.body ??= body;
    else {
      own.tail = { offset, digest };
      own.ahead.push({ offset, digest, body, cause });
    }
    return null;
  }

  #source(source: number): Source {
    const own = this.#sources[source];
    if (own === undefined) throw new Error(`there is no sequencer ${source}`);
    return own;
  }
}
