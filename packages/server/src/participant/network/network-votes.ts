/** Which network the sequencers serve. A participant belongs to one for ever, from the first that f + 1 agree on. */
export interface KnownNetwork {
  /** The id that entries name. */
  readonly network: string;
  readonly synchronizerId: string;
  readonly dso: string;
}

export class NetworkVotes {
  readonly #needed: number;
  readonly #votes = new Map<number, KnownNetwork>();
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

  /** Answers what is wrong with the vote, or null. */
  vote(source: number, given: KnownNetwork): string | null {
    if (this.#agreed !== null && !isSame(this.#agreed, given)) {
      return `it serves the network ${given.network}, and this participant belongs to ${this.#agreed.network}`;
    }
    this.#votes.set(source, given);
    const same = [...this.#votes.values()].filter((vote) => isSame(vote, given));
    if (this.#agreed === null && same.length >= this.#needed) {
      this.#agreed = given;
      for (const [voter, vote] of this.#votes) if (!isSame(vote, given)) this.#votes.delete(voter);
    }
    return null;
  }
}

function isSame(a: KnownNetwork, b: KnownNetwork): boolean {
  return a.network === b.network && a.synchronizerId === b.synchronizerId && a.dso === b.dso;
}
