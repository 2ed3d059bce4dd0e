/**
 * The other SVs of a network, as one of them hears of them: those that can be asked, and the entries that a quorum of SVs has
 * applied alike. It compares its replica's digests with theirs all the time.
 */
import { requiredConfirmations } from "@callsign/ledger";
import { Backoff, Bell, type Log, onAbort, repeat, type Timers } from "@callsign/node";
import { PEER_RETRY } from "../limits/limits.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import { Disagreements } from "./disagreements.ts";
import type { Peer, PeerSource } from "./peer.ts";

export interface PeersParts {
  /** This SV's member id. */
  readonly id: string;
  readonly heads: AppliedHeads;
  /** The members that are SVs, by the ledger; none before the founding. */
  readonly svs: () => readonly string[];
  readonly source: PeerSource;
  /** Gets the reason once: more than f other SVs agree on another outcome. */
  readonly onMinority: (reason: string) => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** The last news of another SV. */
export interface KnownPeer {
  /** The last entry at which its digest was the one of this SV; -1 if there was none. */
  readonly agreed: number;
  /** Its digest was another one since. */
  readonly differs: boolean;
}

export class Peers {
  readonly #parts: PeersParts;
  /** By the id of each SV that was heard of: the last entry at which its digest was the one of this SV. */
  readonly #agreed = new Map<string, number>();
  readonly #disagreements: Disagreements;
  readonly #following = new Map<Peer, AbortController>();
  readonly #running = new Set<Promise<void>>();
  readonly #changed: Bell;
  readonly #closing = new AbortController();
  #stopWatching: () => void = () => undefined;

  constructor(parts: PeersParts) {
    this.#parts = parts;
    this.#changed = new Bell(parts.timers);
    this.#disagreements = new Disagreements({ ...parts, peers: () => this.#voters });
  }

  start(): void {
    this.#stopWatching = this.#parts.source.watch((peers) => this.#follow(peers));
  }

  /** The reason why nobody can say whose replica is right; null if there is none. */
  get dispute(): string | null {
    return this.#disagreements.dispute;
  }

  /** The other SVs that were heard of, by their member ids. */
  list(): ReadonlyMap<string, KnownPeer> {
    const describe = ([id, agreed]: [string, number]): [string, KnownPeer] => [
      id,
      { agreed, differs: this.#disagreements.has(id) },
    ];
    return new Map([...this.#agreed].map(describe));
  }

  /** The number of SVs, this one included, that have applied the entry with the same outcome. */
  countAgreed(sequence: number): number {
    const { id, heads, svs } = this.#parts;
    const isAgreed = (sv: string) =>
      (sv === id ? heads.last.sequence : (this.#agreed.get(sv) ?? -1)) >= sequence;
    return svs().filter(isAgreed).length;
  }

  /** Resolves once a quorum of SVs, this one included, has applied the entry with the same outcome. */
  async reach(sequence: number, signal: AbortSignal): Promise<void> {
    const { heads, svs } = this.#parts;
    await heads.reach(sequence, signal);
    const isReached = () => this.countAgreed(sequence) >= requiredConfirmations(svs().length);
    if (await this.#changed.until(isReached, { signal })) return;
    if (!isTimeout(signal.reason)) throw signal.reason;
    const count = `${this.countAgreed(sequence)} of ${svs().length} SVs`;
    throw new Error(
      `entry ${sequence} is applied by ${count}, and ${requiredConfirmations(svs().length)} are needed: start the others`,
      { cause: signal.reason },
    );
  }

  /** The other SVs that can be asked at present. */
  get reachable(): readonly Peer[] {
    return [...this.#following.keys()];
  }

  /** Has every other SV append a tick. Resolves with the number of the last one in the log; 0 if there is none. */
  async askTicks(signal: AbortSignal): Promise<number> {
    const answers = await Promise.allSettled(this.#voters.map((peer) => peer.tick(signal)));
    return Math.max(0, ...answers.map((answer) => (answer.status === "fulfilled" ? answer.value : 0)));
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  /** The SVs by the ledger that can be asked at present. */
  get #voters(): readonly Peer[] {
    const svs = new Set(this.#parts.svs());
    return this.reachable.filter(({ id }) => svs.has(id));
  }

  #follow(peers: readonly Peer[]): void {
    for (const [peer, stop] of this.#following) {
      if (peers.includes(peer)) continue;
      stop.abort();
      this.#following.delete(peer);
    }
    for (const peer of peers) {
      if (peer.id === this.#parts.id || this.#following.has(peer)) continue;
      const stop = new AbortController();
      this.#following.set(peer, stop);
      const running = this.#listen(peer, stop).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  async #listen(peer: Peer, stop: AbortController): Promise<void> {
    const { timers, heads } = this.#parts;
    const { signal } = stop;
    const stopListening = onAbort(this.#closing.signal, () => stop.abort());
    let above = -1;
    const hear = async () => {
      const head = await peer.head(above, signal);
      if (!this.#agreed.has(peer.id)) this.#agreed.set(peer.id, -1);
      await heads.reach(head.sequence, signal);
      await this.#compare(peer, head, signal);
      above = head.sequence;
    };
    const backoff = new Backoff(PEER_RETRY);
    await repeat(hear, { backoff, timers, signal }).finally(stopListening);
  }

  async #compare({ id }: Peer, { sequence, digest }: AppliedHead, signal: AbortSignal): Promise<void> {
    const own = this.#parts.heads.find(sequence);
    if (own === undefined) return;
    if (own.digest === digest) {
      this.#agreed.set(id, sequence);
      this.#changed.ring();
      await this.#disagreements.end(id, own, signal);
    } else {
      await this.#disagreements.begin(id, own, signal);
    }
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
