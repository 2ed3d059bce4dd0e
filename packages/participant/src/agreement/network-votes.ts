/**
 * The network that the sequencers serve. A store belongs to one network for ever: the first that a quorum of its SVs serves,
 * of those that its participant expects. The first SVs stand in the network's first entry, which its id is a hash of; each
 * later set counts once a quorum of the SVs before attested it. Each SV has one vote, even with several addresses; an address
 * of another node has none.
 */
import type { BegunNetwork } from "@callsign/ledger";
import type { SvQuorum } from "./sv-quorum.ts";

export interface KnownNetwork {
  /** The id that entries name. */
  readonly network: string;
  readonly synchronizerId: string;
  readonly dso: string;
}

/** The facts about its network that a participant knows before any sequencer answers. Null: nothing is expected. */
export interface ExpectedNetwork {
  readonly migrationId: number | null;
  /** False if the store may be of another migration than that. */
  readonly isKept: boolean;
  /** They are the same before and after a migration. */
  readonly synchronizerId: string | null;
  readonly dso: string | null;
}

interface ServedNetwork extends KnownNetwork {
  readonly migrationId: number;
}

/** A network with its present SVs, and the number of times that they have changed. */
export interface ServedSvs extends BegunNetwork {
  readonly svSerial: bigint;
}

interface Vote extends ServedNetwork {
  /** The sequencer's own id. */
  readonly sequencer: string;
  readonly begun: ServedSvs;
}

/** Any network will do. */
const ANY: ExpectedNetwork = { migrationId: null, isKept: true, synchronizerId: null, dso: null };

/** Sequencers of such a network are not followed. */
export type NetworkObstacle = "other-migration" | "not-carried-over" | "other-network";

export class NetworkVotes {
  readonly #quorum: SvQuorum;
  readonly #votes = new Map<number, Vote>();
  readonly #expected: ExpectedNetwork;
  #agreed: KnownNetwork | null;
  #svs: ServedSvs | null = null;

  /** `svs`: the SVs of the known network, if they are known as well. */
  constructor(
    quorum: SvQuorum,
    known: KnownNetwork | null,
    {
      expected = ANY,
      svs = null,
    }: { readonly expected?: ExpectedNetwork | undefined; readonly svs?: ServedSvs | null } = {},
  ) {
    this.#quorum = quorum;
    this.#agreed = known;
    this.#expected = expected;
    if (svs !== null) this.#adopt(svs);
  }

  get agreed(): KnownNetwork | null {
    return this.#agreed;
  }

  /** The SVs of the agreed network; null until they are known. */
  get svs(): ServedSvs | null {
    return this.#svs;
  }

  /** The number of SVs of the largest network that is served; null if none is known yet. */
  get size(): number | null {
    const sizes = [...this.#votes.values()].map(({ begun }) => begun.svs.length);
    return sizes.length === 0 ? null : Math.max(...sizes);
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

  /** The obstacle that a sequencer of this network is; null if the participant may belong to the network. */
  obstacleOf(given: ServedNetwork): NetworkObstacle | null {
    const { migrationId, isKept } = this.#expected;
    if (migrationId !== null && given.migrationId !== migrationId) return "other-migration";
    if (this.#otherThan(given) === null) return null;
    // A migration gives the network another id of its own.
    const wasMigrated =
      this.#agreed?.dso === given.dso && this.#agreed.synchronizerId === given.synchronizerId;
    return wasMigrated && !isKept ? "not-carried-over" : "other-network";
  }

  /** The network of this id with its latest SVs, if a sequencer has handed out its first entry. */
  findBegun(network: string): ServedSvs | null {
    if (this.#svs?.id === network) return this.#svs;
    const served = [...this.#votes.values()].map(({ begun }) => begun).filter(({ id }) => id === network);
    return served.reduce<ServedSvs | null>((latest, each) => laterOf(each, latest), null);
  }

  /** The SVs have changed, as those before attested. Returns the addresses that are no SV's any more. */
  changeSvs(changed: ServedSvs): readonly number[] {
    const gone: number[] = [];
    for (const [source, vote] of this.#votes) {
      if (vote.begun.id !== changed.id || vote.begun.svSerial >= changed.svSerial) continue;
      this.#votes.set(source, { ...vote, begun: changed });
      if (!changed.svs.includes(vote.sequencer)) gone.push(source);
    }
    this.#adopt(changed);
    return gone;
  }

  /** Returns the fault of the vote, or null. `begun`: the network of the first entry that the sequencer hands out, with its SVs. */
  vote(
    source: number,
    given: ServedNetwork & { readonly sequencer: string },
    begun: ServedSvs | null,
  ): string | null {
    const obstacle = this.obstacleOf(given);
    if (obstacle === "other-migration")
      return `it serves migration ${given.migrationId} of its network, and this participant is of migration ${this.#expected.migrationId}`;
    if (obstacle === "not-carried-over")
      return `it serves migration ${given.migrationId} of its network, and this participant's store, which keeps no migration id, is of another one`;
    if (obstacle === "other-network")
      return `it serves the network ${given.network}, and this participant belongs to ${this.#otherThan(given)}`;
    if (begun === null || !isBegun(begun, given))
      return `it serves the network ${given.network}, and the first entry that it hands out is another network's`;
    const latest = laterOf(begun, this.findBegun(begun.id));
    const { svs } = latest;
    if (!svs.includes(given.sequencer))
      return `it is ${given.sequencer}, which is none of the ${svs.length} SVs of the network ${given.network}`;
    const isTaken = ([voter, { sequencer }]: [number, Vote]) =>
      voter !== source && sequencer === given.sequencer;
    if ([...this.#votes].some(isTaken)) {
      return `it is the sequencer ${given.sequencer}, which is connected by another address already`;
    }
    this.#votes.set(source, { ...given, begun: latest });
    const same = [...this.#votes.values()].filter((vote) => isSame(vote, given));
    if (this.#agreed === null && same.length >= this.#quorum.toJoin(svs.length)) {
      const { network, synchronizerId, dso } = given;
      this.#agreed = { network, synchronizerId, dso };
      for (const [voter, vote] of this.#votes) if (!isSame(vote, given)) this.#votes.delete(voter);
    }
    this.#adopt(latest);
    return null;
  }

  /** The SVs of the agreed network, unless later ones are known. */
  #adopt(svs: ServedSvs): void {
    if (svs.id !== this.#agreed?.network || (this.#svs?.svSerial ?? -1n) >= svs.svSerial) return;
    this.#svs = svs;
    this.#quorum.adopt(svs.svs);
  }

  /** The network that the participant belongs to, if it is another one than this. */
  #otherThan(given: KnownNetwork): string | null {
    if (this.#agreed !== null) return isSame(this.#agreed, given) ? null : this.#agreed.network;
    const { synchronizerId, dso } = this.#expected;
    if (dso !== null && dso !== given.dso) return `that of ${dso}`;
    if (synchronizerId !== null && synchronizerId !== given.synchronizerId)
      return `that of the synchronizer ${synchronizerId}`;
    return null;
  }
}

function laterOf(one: ServedSvs, other: ServedSvs | null): ServedSvs {
  return other === null || one.svSerial > other.svSerial ? one : other;
}

function isBegun(begun: BegunNetwork, { network, synchronizerId, dso, migrationId }: ServedNetwork): boolean {
  const { id } = begun;
  return (
    isSame({ ...begun, network: id }, { network, synchronizerId, dso }) &&
    Number(begun.migrationId) === migrationId
  );
}

function isSame(a: KnownNetwork, b: KnownNetwork): boolean {
  return a.network === b.network && a.synchronizerId === b.synchronizerId && a.dso === b.dso;
}
