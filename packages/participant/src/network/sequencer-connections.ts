/**
 * The participant's connection to the network: a set of sequencers, which can be replaced at any time. The new set
 * resumes behind the last item that was taken from the old one. Undelivered answers of the old set are dropped, because
 * the SVs that agree must belong to one set. The network stays the same.
 */
import type { Time } from "@callsign/ledger";
import { Bell } from "@callsign/node";
import type { StreamPosition } from "../agreement/stream-agreement.ts";
import { SequencerSet, type SetParts } from "./sequencer-set.ts";
import { SvSerials } from "./sv-serials.ts";

/** The sequencers to connect to, and how many of them must agree; null: a quorum of the network's SVs. */
export interface SequencerChoice {
  readonly urls: readonly string[];
  readonly threshold: number | null;
}

type ConnectionParts = Omit<SetParts, "stored" | "news" | "reported" | "serials">;

export class SequencerConnections {
  /** Rings when there may be more items to take. */
  readonly news: Bell;
  /** Rings when a sequencer has reported its position. */
  readonly reported: Bell;
  readonly #parts: ConnectionParts;
  readonly #serials = new SvSerials();
  /** Replaced sets that are still closing. */
  readonly #closing = new Set<Promise<void>>();
  #current: SequencerSet;
  #choice: SequencerChoice;
  #stored: number;
  #state: "new" | "started" | "closed" = "new";

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.news = new Bell(parts.host.timers);
    this.reported = new Bell(parts.host.timers);
    this.#choice = { urls: parts.urls, threshold: parts.threshold };
    this.#stored = parts.position.offset;
    this.#current = this.#makeSet(parts);
  }

  get current(): SequencerSet {
    return this.#current;
  }

  get choice(): SequencerChoice {
    return this.#choice;
  }

  /** The network's time; undefined if the sequencers have not told it yet. If a set is replaced before it has, the new one is asked. */
  async now(): Promise<Time | undefined> {
    for (;;) {
      const asked = this.#current;
      const now = await asked.now();
      if (now !== undefined || asked === this.#current) return now;
    }
  }

  start(): void {
    this.#state = "started";
    this.#current.start();
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await Promise.all([this.#current.close(), ...this.#closing]);
  }

  replace(choice: SequencerChoice): void {
    if (this.#state === "closed") return;
    this.#choice = choice;
    this.#resume(this.#current.consensus.position);
    this.#parts.log.info(
      { sequencers: choice.urls, threshold: choice.threshold },
      "sequencer connections replaced",
    );
  }

  /** Reads the stream again from an earlier position, because the store has lost what is behind it. */
  rewind(position: StreamPosition): void {
    if (this.#state === "closed") return;
    this.#stored = position.offset;
    this.#resume(position);
  }

  #resume(position: StreamPosition): void {
    const old = this.#current;
    const { svs } = old.consensus.votes;
    this.#current = this.#makeSet({ ...this.#choice, position, network: old.network, svs });
    const closing = old.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    if (this.#state === "started") this.#current.start();
  }

  /** Taken items are on disk up to this offset. */
  markStored(offset: number): void {
    this.#stored = offset;
    this.#current.consensus.reports.markStored(offset);
  }

  #makeSet(given: Pick<SetParts, "urls" | "threshold" | "position" | "network" | "svs">): SequencerSet {
    const { news, reported } = this;
    const [serials, stored] = [this.#serials, this.#stored];
    return new SequencerSet({ ...this.#parts, ...given, news, reported, serials, stored });
  }
}
