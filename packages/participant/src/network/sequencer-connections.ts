/**
 * The participant's way to the network: a set of sequencers, which can be replaced by another one at any time. The new
 * set goes on behind the last item that was taken from the old one, and nothing that the old one delivered besides
 * counts for it: what f + 1 agree on is always said by members of one set. The network stays the same.
 */
import type { Envelope, Time } from "@callsign/ledger";
import type { KnownNetwork } from "../agreement/network-votes.ts";
import type { AgreedItem } from "../agreement/stream-agreement.ts";
import { Bell } from "../waiting/bell.ts";
import { SequencerSet, type SetParts } from "./sequencer-set.ts";
import type { Handover } from "./submit-entry.ts";

export interface ConnectionParts extends Omit<SetParts, "stored" | "register" | "news" | "reported"> {
  /** Called when a sequencer does not know the member. */
  readonly register: (connections: SequencerConnections) => Promise<void>;
}

export class SequencerConnections {
  /** Rings when there may be more to take. */
  readonly news = new Bell();
  /** Rings when a sequencer has reported where it stands. */
  readonly reported = new Bell();
  readonly #parts: ConnectionParts;
  /** Sets that were replaced, until they have come to an end. */
  readonly #closing = new Set<Promise<void>>();
  #current: SequencerSet;
  #urls: readonly string[];
  #stored: number;
  #state: "new" | "started" | "closed" = "new";

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#urls = parts.urls;
    this.#stored = parts.position.offset;
    this.#current = this.#makeSet(parts);
  }

  start(): void {
    this.#state = "started";
    this.#current.start();
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await Promise.all([this.#current.close(), ...this.#closing]);
  }

  get urls(): readonly string[] {
    return this.#urls;
  }

  /** From now on these, and no other. */
  replace(urls: readonly string[]): void {
    if (this.#state === "closed") return;
    const old = this.#current;
    this.#urls = urls;
    this.#current = this.#makeSet({ urls, position: old.position, network: old.network });
    const closing = old.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    if (this.#state === "started") this.#current.start();
    this.#parts.log.info({ sequencers: urls }, "the participant has other sequencers");
  }

  /** The network that f + 1 sequencers serve. */
  get network(): KnownNetwork | null {
    return this.#current.network;
  }

  /** What is agreed on and was not taken yet. */
  take(): readonly AgreedItem[] {
    return this.#current.take();
  }

  /** What was taken is on disk up to here. */
  markStored(offset: number): void {
    this.#stored = offset;
    this.#current.markStored(offset);
  }

  /** Whether it has caught up once, and enough sequencers are followed closely since. */
  isReady(): boolean {
    return this.#current.isReady();
  }

  /** Whether everything up to that record time has arrived here. */
  hasPassed(time: Time): boolean {
    return this.#current.hasPassed(time);
  }

  /** The record time that f + 1 sequencers have reached, of those whose stream has arrived here whole. */
  get recordTime(): Time | undefined {
    return this.#current.recordTime;
  }

  /** What time it is on the network, asked anew unless it was a moment ago. Undefined if nobody ever said. */
  now(): Promise<Time | undefined> {
    return this.#current.now();
  }

  /** The same, by what was heard last and the time since. */
  get estimatedNow(): Time | undefined {
    return this.#current.estimatedNow;
  }

  /** An entry that was handed over before without an effect begins with another sequencer each time. */
  submit(envelope: Envelope, attempt: number): Promise<Handover> {
    return this.#current.submit(envelope, attempt);
  }

  /** What this one took has taken effect. To have taken it proves nothing: it may lose what it takes. */
  prefer(source: number): void {
    this.#current.prefer(source);
  }

  #makeSet(given: Pick<SetParts, "urls" | "position" | "network">): SequencerSet {
    const { identity, hash, log, elapsed, register } = this.#parts;
    const { news, reported } = this;
    const { urls, position, network } = given;
    return new SequencerSet({
      ...{ urls, position, network, identity, hash, log, elapsed, news, reported },
      stored: this.#stored,
      register: () => register(this),
    });
  }
}
