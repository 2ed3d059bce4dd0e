/**
 * The network that the sequencers serve. A participant belongs to one network for ever: the first that f + 1 sequencers
 * agree on. Each sequencer has one vote, even with several addresses.
 */
export interface KnownNetwork {
  /** The id that entries name. */
  readonly network: string;
  readonly synchronizerId: string;
  readonly dso: string;
}

interface Vote extends KnownNetwork {
  /** The sequencer's own id. */
  readonly sequencer: string;
}

export class NetworkVotes {
  readonly #needed: number;
  readonly #votes = new Map<number, Vote>();
  #agreed: KnownNetwork | null;

  constructor(needed: number, known: KnownNetwork | null) {
    this.#needed = needed;
    this.#agreed = known;
  }

  get agreed(): KnownNetwork | null {
    return this.#agreed;
  }

  hasVoted(source: number): boolean {
    return this.#votes.has(source);
  }

  /** The id of the sequencer that voted at this address. */
  sequencerAt(source: number): string | undefined {
    return this.#votes.get(source)?.sequencer;
  }

  /** Call when another sequencer answers at this address. */
  forget(source: number): void {
    this.#votes.delete(source);
  }

  /** True if the participant belongs to another network than this one. */
  isOther(given: KnownNetwork): boolean {
    return this.#agreed !== null && !isSame(this.#agreed, given);
  }

  /** Returns the fault of the vote, or null. */
  vote(source: number, given: Vote): string | null {
    if (this.#agreed !== null && this.isOther(given)) {
      return `it serves the network ${given.network}, and this participant belongs to ${this.#agreed.network}`;
    }
    const isTaken = ([voter, { sequencer }]: [number, Vote]) =>
      voter !== source && sequencer === given.sequencer;
    if ([...this.#votes].some(isTaken)) {
      return `it is the sequencer ${given.sequencer}, which is connected by another address already`;
    }
    this.#votes.set(source, given);
    const same = [...this.#votes.values()].filter((vote) => isSame(vote, given));
    if (this.#agreed === null && same.length >= this.#needed) {
      const { network, synchronizerId, dso } = given;
      this.#agreed = { network, synchronizerId, dso };
      for (const [voter, vote] of this.#votes) if (!isSame(vote, given)) this.#votes.delete(voter);
    }
    return null;
  }
}

function isSame(a: KnownNetwork, b: KnownNetwork): boolean {
  return a.network === b.network && a.synchronizerId === b.synchronizerId && a.dso === b.dso;
}
