/**
 * Several sequencers, followed all at once, each at its own pace and with its own time limits, so that one that lies,
 * lags, hangs or is gone holds up nobody. What f + 1 of them say counts. A set never changes: other sequencers are
 * another set.
 */
import { HttpError, type NetworkState, type StreamPage } from "@callsign/api";
import type { Envelope, Hash, Time } from "@callsign/ledger";
import { type Log, type MemberIdentity, openHttpClient } from "@callsign/node";
import { Distrust } from "../agreement/distrust.ts";
import { NetworkClock } from "../agreement/network-clock.ts";
import { type KnownNetwork, NetworkVotes } from "../agreement/network-votes.ts";
import { type AgreedItem, StreamAgreement, type StreamPosition } from "../agreement/stream-agreement.ts";
import {
  EARLY_PAGE_PAUSE_MILLISECONDS,
  FOLLOW_MILLISECONDS,
  MAX_LAG_ITEMS,
  RECONNECT,
} from "../limits/limits.ts";
import { Bell } from "../waiting/bell.ts";
import { MemberUnknown, needTime, SequencerClient } from "./sequencer-client.ts";
import { type Handover, submitEntry } from "./submit-entry.ts";
import { TimeQuestions } from "./time-questions.ts";

interface Report {
  readonly recordTime: Time;
  readonly end: number;
}

export interface SetParts {
  readonly urls: readonly string[];
  readonly identity: MemberIdentity;
  /** Where the stream is to be gone on with. */
  readonly position: StreamPosition;
  /** Up to where it is on disk. */
  readonly stored: number;
  readonly network: KnownNetwork | null;
  readonly hash: Hash;
  readonly log: Log;
  /** Milliseconds, monotonic. */
  readonly elapsed: () => number;
  /** Called when a sequencer does not know the member. */
  readonly register: () => Promise<void>;
  /** Rings when there may be more to take. */
  readonly news: Bell;
  /** Rings when a sequencer has reported where it stands. */
  readonly reported: Bell;
}

/** It is of no use here, however it behaves. */
class WrongSequencer extends Error {
  override readonly name = "WrongSequencer";
}

export class SequencerSet {
  readonly #parts: SetParts;
  readonly #connections = openHttpClient();
  readonly #clients: readonly SequencerClient[];
  readonly #agreement: StreamAgreement;
  readonly #clock: NetworkClock;
  readonly #timeQuestions: TimeQuestions;
  readonly #votes: NetworkVotes;
  readonly #reports = new Map<number, Report>();
  readonly #distrust: Distrust;
  /** Sequencers of other networks, and further addresses of the same one, which were told about once. */
  readonly #strangers = new Set<SequencerClient>();
  readonly #stop = new AbortController();
  #caughtUp = false;
  /** Who is asked first: the last whose taking of an entry was followed by its effect. */
  #preferred = 0;
  #stored: number;
  #running: readonly Promise<void>[] = [];

  constructor(parts: SetParts) {
    const { urls, identity, position, hash, elapsed } = parts;
    this.#parts = parts;
    this.#clients = urls.map((url) => new SequencerClient(url, identity, this.#connections.fetch));
    this.#agreement = new StreamAgreement({ hash, sources: urls.length, position });
    this.#clock = new NetworkClock(urls.length, elapsed);
    this.#votes = new NetworkVotes(this.#agreement.needed, parts.network);
    this.#distrust = new Distrust(elapsed);
    this.#stored = parts.stored;
    this.#timeQuestions = new TimeQuestions({
      clock: this.#clock,
      elapsed,
      estimate: () => this.estimatedNow,
      first: () => this.#clients[this.#choose(0)],
      trusted: () => this.#listTrusted(),
      enough: () => this.#honest(),
      signal: this.#stop.signal,
    });
  }

  start(): void {
    this.#running = this.#clients.map((client, source) => this.#run(client, source));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#connections.close();
    await Promise.all([...this.#running, this.#timeQuestions.idle()]);
  }

  /** The network that f + 1 sequencers serve. */
  get network(): KnownNetwork | null {
    return this.#votes.agreed;
  }

  /** What is agreed on and was not taken yet. */
  take(): readonly AgreedItem[] {
    const { items, dissenters } = this.#agreement.take();
    for (const source of dissenters) this.#condemn(source, "it delivered something else than the others");
    return items;
  }

  /** What was taken last. */
  get position(): StreamPosition {
    return this.#agreement.agreed;
  }

  /** What was taken is on disk up to here. */
  markStored(offset: number): void {
    this.#stored = offset;
  }

  /** Whether it has caught up once, and enough sequencers are followed closely since. */
  isReady(): boolean {
    this.#caughtUp ||= this.#countReports(({ end }) => end <= this.#stored);
    const isClose = this.#countReports(({ end }) => end <= this.#stored + MAX_LAG_ITEMS);
    return this.network !== null && this.#caughtUp && isClose;
  }

  /** Whether the network is known to have taken the member in; one sequencer that denies it proves nothing. */
  isMember(): boolean {
    return this.#stored > 0 || this.#reports.size >= this.#agreement.needed;
  }

  /** Whether everything up to that record time has arrived here. */
  hasPassed(time: Time): boolean {
    return this.#countReports(({ recordTime, end }) => recordTime > time && end <= this.#stored);
  }

  /** The record time that f + 1 sequencers have reached, of those whose stream has arrived here whole. */
  get recordTime(): Time | undefined {
    const times = [...this.#reports.values()]
      .filter(({ end }) => end <= this.#stored)
      .map(({ recordTime }) => recordTime)
      .sort((a, b) => (a < b ? 1 : -1));
    return times[this.#agreement.needed - 1];
  }

  /** What time it is on the network, asked anew unless it was a moment ago. Undefined if nobody ever said. */
  async now(): Promise<Time | undefined> {
    await this.#timeQuestions.ask();
    return this.estimatedNow;
  }

  /** The same, by what was heard last and the time since. */
  get estimatedNow(): Time | undefined {
    return this.#clock.now(this.#honest());
  }

  /** An entry that was handed over before without an effect begins with another sequencer each time. */
  submit(envelope: Envelope, attempt: number): Promise<Handover> {
    const first = this.#choose(attempt);
    return submitEntry({ receivers: this.#clients, first, envelope, signal: this.#stop.signal });
  }

  /** What this one took has taken effect. To have taken it proves nothing: it may lose what it takes. */
  prefer(source: number): void {
    this.#preferred = source;
  }

  /** The preferred one and those behind it, without those that are not trusted, in turns. */
  #choose(attempt: number): number {
    const sources = this.#clients.map((_, i) => (this.#preferred + i) % this.#clients.length);
    const trusted = sources.filter((source) => !this.#distrust.has(source));
    const choice = trusted.length === 0 ? sources : trusted;
    return choice[attempt % choice.length] ?? this.#preferred;
  }

  /** How many answer if nobody is faulty beyond what is tolerated; whom we do not trust is not waited for. */
  #honest(): number {
    const honest = this.#clients.length - (this.#agreement.needed - 1);
    return Math.max(this.#agreement.needed, Math.min(honest, this.#clients.length - this.#distrust.size));
  }

  /** Those whose word on the time is asked for: of this network, and not caught lying. */
  #listTrusted(): readonly (readonly [source: number, client: SequencerClient])[] {
    return [...this.#clients.entries()].filter(
      ([source]) => !this.#distrust.has(source) && this.#votes.hasVoted(source),
    );
  }

  #countReports(holds: (report: Report) => boolean): boolean {
    return [...this.#reports.values()].filter(holds).length >= this.#agreement.needed;
  }

  async #run(client: SequencerClient, source: number): Promise<void> {
    const { signal } = this.#stop;
    let pause: number = RECONNECT.firstMilliseconds;
    while (!signal.aborted) {
      try {
        await this.#step(client, source);
        pause = RECONNECT.firstMilliseconds;
        continue;
      } catch (error) {
        if (signal.aborted) return;
        this.#reports.delete(source);
        await this.#explain(client, error);
      }
      await new Bell().wait(pause * (0.5 + Math.random() / 2), signal);
      pause = Math.min(2 * pause, RECONNECT.longestMilliseconds);
    }
  }

  /** One answer of one sequencer. Returning means that it behaved, throwing that it is to be left alone a while. */
  async #step(client: SequencerClient, source: number): Promise<void> {
    const { signal } = this.#stop;
    if (!this.#votes.hasVoted(source)) this.#hearNetwork(source, await client.getNetwork(signal));
    const after = this.#agreement.nextAfter(source);
    if (after === undefined) return this.#parts.news.wait(RECONNECT.longestMilliseconds, signal);
    // The first answer says where the sequencer stands, and is not waited for.
    const wait = this.#reports.has(source) ? FOLLOW_MILLISECONDS : 0;
    const before = this.#reports.get(source);
    const asked = this.#parts.elapsed();
    const page = await client.follow(after, wait, signal);
    this.#checkSequencer(client, source);
    this.#hearPage(source, page);
    const pause = this.#distrust.pauseOf(source);
    if (pause === null) {
      if (page.items.some(({ offset }) => offset > after)) return;
      const rest = wait - (this.#parts.elapsed() - asked);
      // It answers nothing early where the network's clock was moved.
      const hasMoved = this.#reports.get(source)?.recordTime !== before?.recordTime;
      return this.#idle(hasMoved ? Math.min(rest, EARLY_PAGE_PAUSE_MILLISECONDS) : rest);
    }
    await new Bell().wait(pause, signal);
    this.#distrust.end(source);
  }

  async #idle(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await new Bell().wait(milliseconds, this.#stop.signal);
  }

  #hearNetwork(source: number, state: NetworkState): void {
    const { network, synchronizerId, dso, sequencer } = state;
    const fault = this.#votes.vote(source, { network, synchronizerId, dso, sequencer });
    if (fault !== null) throw new WrongSequencer(fault);
    this.#clock.hear(source, needTime(state.now));
    this.#parts.reported.ring();
  }

  /** What stands behind an address may change: what the one before it said must not count for both. */
  #checkSequencer(client: SequencerClient, source: number): void {
    if (client.sequencer === this.#votes.sequencerAt(source)) return;
    this.#agreement.reset(source);
    this.#clock.forget(source);
    this.#votes.forget(source);
    throw new Error("another sequencer than before answers there");
  }

  #hearPage(source: number, page: StreamPage): void {
    const fault = this.#agreement.offer(source, page.items);
    if (fault !== null) {
      this.#condemn(source, fault);
      return;
    }
    this.#clock.hear(source, needTime(page.now));
    this.#reports.set(source, { recordTime: needTime(page.recordTime), end: page.end });
    if (page.items.length > 0) this.#parts.news.ring();
    this.#parts.reported.ring();
  }

  #condemn(source: number, fault: string): void {
    this.#clock.forget(source);
    this.#reports.delete(source);
    if (!this.#distrust.begin(source)) return;
    const sequencer = this.#clients[source]?.url;
    this.#parts.log.warn({ sequencer, fault }, "a sequencer delivered something false; it is left alone");
  }

  async #explain(client: SequencerClient, error: unknown): Promise<void> {
    const { log, register } = this.#parts;
    // A session that ended is renewed with the next step.
    if (error instanceof HttpError && error.status === 401) return;
    const problem = error instanceof Error ? error.message : String(error);
    const isNews = error instanceof WrongSequencer && !this.#strangers.has(client);
    if (isNews) this.#strangers.add(client);
    log[isNews ? "error" : "debug"](
      { sequencer: client.url, problem },
      "a sequencer did not answer as it should",
    );
    if (!(error instanceof MemberUnknown) || this.isMember()) return;
    try {
      await register();
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : "unknown";
      log.error({ reason }, "the participant could not ask to become a member");
    }
  }
}
