/**
 * Several sequencers, followed side by side, so that one that lies, lags, hangs or is gone delays no other. An item counts
 * once a quorum of the network's SVs delivered it. A set never changes: other sequencers are another set.
 */
import type { Envelope, Hash, Time } from "@callsign/ledger";
import {
  type Bell,
  createVerify,
  type Host,
  type HttpClient,
  type KeptIdentity,
  type Log,
  type RegisteredKeys,
} from "@callsign/node";
import type { ExpectedNetwork, KnownNetwork, ServedSvs } from "../agreement/network-votes.ts";
import { SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import type { StreamPosition } from "../agreement/stream-agreement.ts";
import {
  FIRST_SUBMISSIONS_AT_ONCE,
  HEDGE_MILLISECONDS,
  LATEST_HEDGE_MILLISECONDS,
  PROVING_MILLISECONDS,
} from "../limits/limits.ts";
import { type AgreedParties, findAgreedParties, listAgreedParties } from "./agreed-topology.ts";
import { findAgreedVersion } from "./agreed-version.ts";
import { findAgreedKeys } from "./find-agreed-keys.ts";
import { GradualCalls } from "./gradual-calls.ts";
import { fetchLackingBodies } from "./lacking-bodies.ts";
import { MemberStateReader } from "./member-state-reader.ts";
import { SequencerClient, type TopologyPage } from "./sequencer-client.ts";
import { followSequencer } from "./sequencer-follower.ts";
import { type EntryReceiver, type Handover, submitEntry } from "./submit-entry.ts";
import type { SvSerials } from "./sv-serials.ts";
import { TimeQuery } from "./time-query.ts";
import { UsualTime } from "./usual-time.ts";

export interface SetParts {
  /** None: the set waits until another one replaces it. */
  readonly urls: readonly string[];
  /** The number of SVs that must agree; null: a quorum of the network's SVs. */
  readonly threshold: number | null;
  readonly identity: KeptIdentity;
  /** The position to resume the stream from. */
  readonly position: StreamPosition;
  /** The last offset on disk. */
  readonly stored: number;
  readonly network: KnownNetwork | null;
  /** The SVs of that network, if they have changed since its first entry. */
  readonly svs: ServedSvs | null;
  /** Any network if omitted. */
  readonly expected?: ExpectedNetwork;
  /** Of all sets of the participant. */
  readonly serials: SvSerials;
  readonly hash: Hash;
  readonly host: Host;
  readonly log: Log;
  /** Called when a sequencer does not know the member. */
  readonly register: (set: SequencerSet) => Promise<void>;
  /** Rings when there may be more items to take. */
  readonly news: Bell;
  /** Rings when a sequencer has reported its position. */
  readonly reported: Bell;
}

const HANDOVER_PATIENCE = { least: HEDGE_MILLISECONDS, most: LATEST_HEDGE_MILLISECONDS };

export class SequencerSet {
  readonly consensus: SequencerConsensus;
  readonly #parts: SetParts;
  readonly #connections: HttpClient;
  readonly #clients: readonly SequencerClient[];
  readonly #receivers: readonly EntryReceiver[];
  readonly #timeQuery: TimeQuery;
  readonly #stop = new AbortController();
  readonly #verify = createVerify();
  /** The last sequencer that accepted an entry which then took effect. */
  #preferred = 0;
  /** The time until a sequencer answers that it has an entry. */
  readonly #answers = new UsualTime();
  #followers: readonly Promise<void>[] = [];
  #lackingBodies: Promise<void> = Promise.resolve();

  constructor(parts: SetParts) {
    const { urls, identity, host, log } = parts;
    this.#parts = parts;
    this.#connections = host.http.openClient();
    const { fetch, upgrade } = this.#connections;
    const { serials } = parts;
    const onProven = (sv: string, serial: number) => {
      if (this.consensus.quorum.svs?.has(sv) === true) serials.note(sv, serial);
    };
    const shared = { fetch, upgrade, host, serials, onProven, verify: this.#verify };
    this.#clients = urls.map((url) => new SequencerClient(url, identity, shared));
    this.#receivers = this.#clients.map(receiveGradually);
    this.consensus = new SequencerConsensus({
      ...parts,
      sources: urls.length,
      elapsedMilliseconds: host.clock.elapsedMilliseconds,
      onFault: (source, fault) =>
        log.warn({ sequencer: urls[source], fault }, "a sequencer delivered a false item and is distrusted"),
      onSvsKnown: ({ undercut: quorum, svs }) => {
        if (quorum === null) return;
        log.warn(
          { threshold: parts.threshold, quorum, svs: svs?.size },
          "fewer SVs than a quorum must agree: SVs that lie, or the log itself, can show this participant a history of its own",
        );
      },
      onObstacle: ({ kind, text }) =>
        // Sequencers that are silent may come back: the others wait for the operator.
        log[kind === "silent" ? "warn" : "error"](
          { kind, reason: text },
          "the participant cannot follow its network",
        ),
    });
    this.#timeQuery = new TimeQuery({ ...this.#askParts, choose: () => this.#choose(0) });
  }

  start(): void {
    const { hash, host, log, news, reported, register } = this.#parts;
    this.#followers = this.#clients.map((client, source) =>
      followSequencer({
        ...{ client, source, hash, verify: this.#verify, host, log, news, reported },
        consensus: this.consensus,
        register: () => register(this),
        signal: this.#stop.signal,
      }),
    );
    this.#lackingBodies = fetchLackingBodies({ ...this.#askParts, log, news, reported });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const client of this.#clients) client.close();
    this.#connections.close();
    await Promise.all([...this.#followers, this.#lackingBodies, this.#timeQuery.idle()]);
  }

  /** The network that a quorum of its SVs serves. */
  get network(): KnownNetwork | null {
    return this.consensus.votes.agreed;
  }

  /** The SVs that must deliver the same; as many as the URLs suggest until the network's SVs are known. */
  get needed(): number {
    const { quorum, votes } = this.consensus;
    return quorum.svs === null ? quorum.toJoin(votes.size ?? this.#parts.urls.length) : quorum.history;
  }

  isReady(): boolean {
    const { isResumed, reports } = this.consensus;
    return this.#clients.length > 0 && this.network !== null && isResumed && reports.isReady();
  }

  /** True if no sequencer can be reached: an entry would get nowhere. */
  get isSilent(): boolean {
    return this.consensus.obstacles.isSilent;
  }

  /** The reason why the set is not ready, with the remedy; null if it is. */
  get missing(): string | null {
    if (this.isReady()) return null;
    const { obstacles, reports } = this.consensus;
    const { certain, any } = obstacles;
    const { urls } = this.#parts;
    if (urls.length === 0)
      return "no sequencer connections are set yet: the validator sets them through the admin API";
    const tooFew = this.#findTooFew();
    if (tooFew !== null) return tooFew;
    if (certain !== null && certain.kind !== "silent") return certain.text;
    const followed = urls.filter((_, source) => reports.find(source) !== undefined).length;
    const last = any === null ? "" : ` ${any.text}`;
    const { needed } = this;
    if (followed < needed)
      return `${followed} of ${urls.length} sequencers can be followed, and ${needed} are needed.${last}`;
    return `it has not caught up with the network yet: its store stands at offset ${this.consensus.position.offset}`;
  }

  /** The number of URLs, if it cannot be enough whatever the sequencers say. */
  #findTooFew(): string | null {
    const { quorum, votes } = this.consensus;
    const svs = quorum.svs?.size ?? votes.size;
    const given = this.#parts.urls.length;
    if (svs === null || given >= this.needed) return null;
    return (
      `the network has ${svs} SVs, and ${this.needed} must deliver the same: this participant is connected to ${given}. ` +
      "Connect it to more of them, or set a threshold through the admin API"
    );
  }

  /** The network's time, asked for anew unless that was done a moment ago; undefined before the first answer. */
  async now(): Promise<Time | undefined> {
    if (this.#clients.length === 0) return undefined;
    await this.#timeQuery.ask();
    const isKnown = () => this.consensus.estimatedNow !== undefined;
    // The sequencers of a new set prove themselves first.
    const soon = { milliseconds: PROVING_MILLISECONDS, signal: this.#stop.signal };
    if (!isKnown()) await this.#parts.reported.until(isKnown, soon);
    return this.consensus.estimatedNow;
  }

  /** The member's keys, as f + 1 SVs have them; null if they do not know the member. Rejects if too few answer. */
  findKeys(): Promise<RegisteredKeys | null> {
    const { quorum, votes } = this.consensus;
    // Of several addresses of one SV, one has voted.
    const svs = this.#clients.filter((_, source) => votes.hasVoted(source));
    const options = { needed: quorum.voices, host: this.#parts.host, signal: this.#stop.signal };
    return findAgreedKeys(svs, options);
  }

  /** The network's protocol version. Null if too few sequencers answer. */
  findProtocolVersion(): Promise<bigint | null> {
    return findAgreedVersion(this.#askParts);
  }

  /** A page of the network's parties; the caller has these of it. Null if too few sequencers answer. */
  listParties(page: TopologyPage, known: readonly string[]): Promise<AgreedParties | null> {
    return listAgreedParties(this.#askParts, page, known);
  }

  /** Those of the parties that exist. Null if too few sequencers answer. */
  findParties(parties: readonly string[]): Promise<AgreedParties | null> {
    return findAgreedParties(this.#askParts, parties);
  }

  /** The present state of the participant's parties. */
  openState(): MemberStateReader {
    return new MemberStateReader(this.#askParts, this.#parts.hash);
  }

  /** Each attempt at the same entry begins with another sequencer. */
  async submit(envelope: Envelope, attempt: number): Promise<Handover> {
    const { timers, clock } = this.#parts.host;
    const begun = clock.elapsedMilliseconds();
    const first = this.#choose(attempt);
    const handover = await submitEntry({
      ...{ receivers: this.#receivers, first, envelope, timers, signal: this.#stop.signal },
      patienceMilliseconds: this.#answers.patience(HANDOVER_PATIENCE),
    });
    const isOfFirst = handover.kind === "accepted" && handover.source === first;
    if (isOfFirst) this.#answers.observe(clock.elapsedMilliseconds() - begun);
    return handover;
  }

  /** Call when an entry has taken effect. Accepting an entry is not proof: a faulty sequencer may drop it. */
  prefer(source: number): void {
    this.#preferred = source;
  }

  get #askParts() {
    const { host } = this.#parts;
    return { host, consensus: this.consensus, clients: this.#clients, signal: this.#stop.signal };
  }

  /** Attempts go round the trusted sequencers, beginning with the preferred one. */
  #choose(attempt: number): number {
    const sources = this.#clients.map((_, i) => (this.#preferred + i) % this.#clients.length);
    const trusted = sources.filter((source) => !this.consensus.distrust.has(source));
    const choice = trusted.length === 0 ? sources : trusted;
    return choice[attempt % choice.length] ?? this.#preferred;
  }
}

function receiveGradually(client: SequencerClient): EntryReceiver {
  const calls = new GradualCalls(FIRST_SUBMISSIONS_AT_ONCE);
  return { submit: (envelope, signal) => calls.run(() => client.submit(envelope, signal)) };
}
