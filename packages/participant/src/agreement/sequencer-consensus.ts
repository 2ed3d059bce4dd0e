/**
 * The answers of the sequencers of one set, and the facts on which enough SVs agree. Sequencers are numbered, and each has
 * a follower that reports its answers here. A sequencer that contradicts an agreed item is distrusted for a while.
 */
import type { NetworkState, StreamPage } from "@callsign/api";
import { type Hash, parseTime, type Time } from "@callsign/ledger";
import { Distrust } from "./distrust.ts";
import { NetworkClock } from "./network-clock.ts";
import { type ExpectedNetwork, type KnownNetwork, NetworkVotes, type ServedSvs } from "./network-votes.ts";
import { type Obstacle, Obstacles } from "./obstacles.ts";
import { SequencerReports } from "./sequencer-reports.ts";
import {
  type AgreedItem,
  type LackingBody,
  type ResumeFault,
  StreamAgreement,
  type StreamPosition,
} from "./stream-agreement.ts";
import { SvQuorum } from "./sv-quorum.ts";

export interface ConsensusParts {
  readonly sources: number;
  /** The number of SVs that must agree; null: a quorum of the network's SVs. */
  readonly threshold: number | null;
  /** The position to resume the stream from. */
  readonly position: StreamPosition;
  /** The last offset on disk. */
  readonly stored: number;
  /** Null until a quorum of its SVs has served the same network. */
  readonly network: KnownNetwork | null;
  /** The SVs of the network, where they are known before any sequencer answers. */
  readonly svs?: ServedSvs | null;
  /** Any network if omitted. */
  readonly expected?: ExpectedNetwork;
  readonly hash: Hash;
  readonly elapsedMilliseconds: () => number;
  /** Called when a sequencer becomes distrusted, once within its clean record. */
  readonly onFault: (source: number, fault: string) => void;
  /** Called when the network's SVs have become known, and when they have changed. */
  readonly onSvsKnown: (quorum: SvQuorum) => void;
  /** Called when f + 1 sequencers name the same mistake of the participant's own, or none can be reached. */
  readonly onObstacle: (obstacle: Obstacle) => void;
}

export class SequencerConsensus {
  readonly quorum: SvQuorum;
  readonly votes: NetworkVotes;
  readonly reports: SequencerReports;
  readonly distrust: Distrust;
  readonly obstacles: Obstacles;
  readonly #parts: ConsensusParts;
  readonly #agreement: StreamAgreement;
  readonly #clock: NetworkClock;
  #toldSvs: SvQuorum["svs"] = null;
  /** The sequencer that is asked for bodies; the others are asked for digests alone. */
  #lead: number | null = null;

  constructor(parts: ConsensusParts) {
    const { hash, sources, threshold, position, stored, network, elapsedMilliseconds } = parts;
    this.#parts = parts;
    const quorum = new SvQuorum({ urls: sources, threshold });
    this.quorum = quorum;
    this.#agreement = new StreamAgreement({ hash, sources, position, quorum });
    this.#clock = new NetworkClock(sources, elapsedMilliseconds);
    this.votes = new NetworkVotes(quorum, network, parts);
    this.reports = new SequencerReports({ quorum, stored });
    this.distrust = new Distrust(elapsedMilliseconds);
    this.obstacles = new Obstacles({ sources, quorum, onCertain: parts.onObstacle });
  }

  /** True once a quorum has confirmed the position from which the stream is resumed. */
  get isResumed(): boolean {
    return this.#agreement.isResumed;
  }

  /** The position behind the last item that was taken. */
  get position(): StreamPosition {
    return this.#agreement.agreed;
  }

  /** The network's time by the last answers and the time since; undefined before the first answer. */
  get estimatedNow(): Time | undefined {
    return this.#clock.now(this.expectedAnswers);
  }

  /** The number of answers to wait for: no more than f sequencers are faulty, and distrusted ones do not count. */
  get expectedAnswers(): number {
    const { reachable, voices } = this.quorum;
    return Math.max(voices, Math.min(reachable - (voices - 1), reachable - this.distrust.size));
  }

  /** The next request to this sequencer; undefined while it is too far ahead of the others. */
  nextRequest(source: number): { readonly after: number; readonly bodies: boolean } | undefined {
    this.#lead ??= source;
    const bodies = this.#lead === source;
    const after = this.#agreement.nextAfter(source, bodies);
    return after === undefined ? undefined : { after, bodies };
  }

  /** The next item, if a quorum has it and nobody has delivered its body. The holders begin with the lead. */
  get lackingBody(): LackingBody | null {
    const lacking = this.#agreement.lackingBody;
    if (lacking === null) return null;
    const rank = (source: number) => (source === this.#lead ? 0 : 1);
    return { ...lacking, holders: lacking.holders.toSorted((a, b) => rank(a) - rank(b)) };
  }

  /** True while the lead has not delivered the next item. */
  get isLeadAwaited(): boolean {
    return this.#lead !== null && !this.#agreement.isAhead(this.#lead);
  }

  /** Bodies are asked of this sequencer from now on. */
  lead(source: number): void {
    this.#lead = source;
  }

  /** The sequencer does not answer, or is not believed: its report no longer counts, and another one leads. */
  leave(source: number): void {
    this.reports.forget(source);
    if (this.#lead === source) this.#lead = this.reports.first ?? null;
  }

  /** Agreed items that were not taken yet. */
  take(): readonly AgreedItem[] {
    const { items, dissenters } = this.#agreement.take();
    for (const source of dissenters) this.#condemn(source, "it delivered something else than the others");
    return items;
  }

  /** Returns what is wrong with the answer, or null. */
  hearNetwork(source: number, state: NetworkState, begun: ServedSvs | null): string | null {
    const { network, synchronizerId, dso, sequencer, migrationId } = state;
    const fault = this.votes.vote(source, { network, synchronizerId, dso, sequencer, migrationId }, begun);
    this.#tellSvs();
    if (fault === null) this.hearTime(source, state.now);
    return fault;
  }

  /** The network's SVs have changed: SVs that have left no longer count. */
  hearSvs(changed: ServedSvs): void {
    for (const source of this.votes.changeSvs(changed)) this.forget(source);
    this.#tellSvs();
  }

  hearTime(source: number, now: string): void {
    this.#clock.hear(source, readTime(now));
  }

  /** A page of items after an offset. Returns false if it contradicts the stream that is agreed on. */
  hearPage(source: number, after: number, page: StreamPage): boolean {
    const hasGoneBack = this.reports.hasGoneBack(source, page.end);
    const resumeFault = hasGoneBack ? "ahead" : this.#agreement.checkResumed(source, page.items);
    if (resumeFault !== null) {
      this.obstacles.note(source, this.#describe(resumeFault, page));
      this.leave(source);
      return false;
    }
    const { previousDigest: digest } = page;
    const previous = digest === null ? null : { offset: after, digest };
    const fault = this.#agreement.offer(source, page.items, previous);
    if (fault !== null) {
      this.#condemn(source, fault);
      return false;
    }
    this.obstacles.clear(source);
    this.hearTime(source, page.now);
    this.reports.hear(source, { recordTime: readTime(page.recordTime), end: page.end });
    return true;
  }

  /** Another sequencer may answer at this address from now on: the answers of the one before must not count for both. */
  forget(source: number): void {
    this.#agreement.reset(source);
    this.#clock.forget(source);
    this.leave(source);
    this.votes.forget(source);
  }

  #tellSvs(): void {
    if (this.quorum.svs === this.#toldSvs) return;
    this.#toldSvs = this.quorum.svs;
    this.#parts.onSvsKnown(this.quorum);
  }

  #describe(fault: ResumeFault, { end, items }: StreamPage): Obstacle {
    const { offset, digest } = this.position;
    const remedy =
      "Restore the newest backup of the participant's store that is of this network, or move the store away and " +
      "keep identity.json: the participant then reads its whole stream again";
    if (fault === "ahead") {
      const text =
        `the store stands at offset ${offset} of this participant's stream, and the sequencers' stream ends at ` +
        `offset ${end}. Sequencers that have just started may still be catching up; otherwise the store is of ` +
        `another history. ${remedy}`;
      return { kind: "store-ahead", text };
    }
    const theirs = items.find((item) => item.offset === offset)?.digest ?? "none";
    const text =
      `the store is damaged or of another history: at offset ${offset} it has the digest ${digest.slice(0, 16)}, ` +
      `and the sequencers have ${theirs.slice(0, 16)}. ${remedy}`;
    return { kind: "store-differs", text };
  }

  #condemn(source: number, fault: string): void {
    this.#clock.forget(source);
    this.leave(source);
    if (this.distrust.begin(source)) this.#parts.onFault(source, fault);
  }
}

/** A time as sequencers write it. */
export function readTime(text: string): Time {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.error);
  return time.value;
}
