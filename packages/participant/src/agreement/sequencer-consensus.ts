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

  /** The offset to ask this sequencer from; undefined while it is too far ahead of the others. */
  nextAfter(source: number): number | undefined {
    return this.#agreement.nextAfter(source);
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

  /** Returns false if the page contradicts the stream that is agreed on. */
  hearPage(source: number, page: StreamPage): boolean {
    const hasGoneBack = this.reports.hasGoneBack(source, page.end);
    const resumeFault = hasGoneBack ? "ahead" : this.#agreement.checkResumed(source, page.items);
    if (resumeFault !== null) {
      this.obstacles.note(source, this.#describe(resumeFault, page));
      this.reports.forget(source);
      return false;
    }
    const fault = this.#agreement.offer(source, page.items);
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
    this.reports.forget(source);
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
    this.reports.forget(source);
    if (this.distrust.begin(source)) this.#parts.onFault(source, fault);
  }
}

/** A time as sequencers write it. */
export function readTime(text: string): Time {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.error);
  return time.value;
}
