/**
 * The other SVs of a network, as one of them hears of them. It compares its replica's digests with theirs all the time:
 * a minority replica must halt, and the others report it. It knows which entries a quorum of SVs has applied alike.
 */
import { requiredConfirmations } from "@callsign/ledger";
import { Backoff, Bell, type Log, onAbort, repeat, startDeadline, type Timers } from "@callsign/node";
import { PEER_ANSWER_MILLISECONDS, PEER_RETRY } from "../limits/limits.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import { decideStanding, type Standing } from "./decide-standing.ts";
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
  /** The last entry it is known to have applied. */
  readonly sequence: number;
  /** The last entry at which its digest was the one of this SV; -1 if there was none. */
  readonly agreed: number;
  /** The first entry at which its digest was another one, since it agreed last; null if there is none. */
  readonly differsAt: number | null;
}

const UNKNOWN: KnownPeer = { sequence: -1, agreed: -1, differsAt: null };

export class Peers {
  readonly #parts: PeersParts;
  readonly #known = new Map<string, KnownPeer>();
  readonly #following = new Map<Peer, AbortController>();
  /** The ids of SVs that a majority finds wrong. */
  readonly #odd = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #changed: Bell;
  readonly #closing = new AbortController();
  #stopWatching: () => void = () => undefined;
  #dispute: string | null = null;

  constructor(parts: PeersParts) {
    this.#parts = parts;
    this.#changed = new Bell(parts.timers);
  }

  start(): void {
    this.#stopWatching = this.#parts.source.watch((peers) => this.#follow(peers));
  }

  /** The reason why nobody can say whose replica is right; null if there is none. */
  get dispute(): string | null {
    return this.#dispute;
  }

  /** The other SVs that were heard of, by their member ids. */
  list(): ReadonlyMap<string, KnownPeer> {
    return this.#known;
  }

  /** The number of SVs, this one included, that have applied the entry with the same outcome. */
  countAgreed(sequence: number): number {
    const { id, heads, svs } = this.#parts;
    const isAgreed = (sv: string) =>
      (sv === id ? heads.last.sequence : (this.#known.get(sv)?.agreed ?? -1)) >= sequence;
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
    const svs = new Set(this.#parts.svs());
    const asked = [...this.#following.keys()].filter(({ id }) => svs.has(id));
    const answers = await Promise.allSettled(asked.map((peer) => peer.tick(signal)));
    return Math.max(0, ...answers.map((answer) => (answer.status === "fulfilled" ? answer.value : 0)));
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#closing.abort();
    await Promise.all(this.#running);
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
      this.#note(peer.id, { sequence: head.sequence });
      await heads.reach(head.sequence, signal);
      await this.#compare(peer, head, signal);
      above = head.sequence;
    };
    const backoff = new Backoff(PEER_RETRY);
    await repeat(hear, { backoff, timers, signal }).finally(stopListening);
  }

  #note(id: string, change: Partial<KnownPeer>): void {
    this.#known.set(id, { ...(this.#known.get(id) ?? UNKNOWN), ...change });
    this.#changed.ring();
  }

  async #compare({ id }: Peer, { sequence, digest }: AppliedHead, signal: AbortSignal): Promise<void> {
    const { heads, log } = this.#parts;
    const own = heads.find(sequence)?.digest;
    if (own === undefined) return;
    const { differsAt = null } = this.#known.get(id) ?? {};
    if (own === digest) {
      this.#note(id, { agreed: sequence, differsAt: null });
      if (this.#odd.delete(id)) log.info({ peer: id, sequence }, "another SV's replica agrees again");
      if (this.#dispute === null) return;
    } else {
      if (differsAt === null) this.#note(id, { differsAt: sequence });
      if (this.#odd.has(id)) return;
    }
    await this.#settle(sequence, own, signal);
  }

  /** Asks all others for their digests at the entry. */
  async #settle(sequence: number, own: string, signal: AbortSignal): Promise<void> {
    const { svs } = this.#parts;
    const voters = new Set(svs());
    const asked = [...this.#following.keys()].filter(({ id }) => voters.has(id));
    const deadline = startDeadline(PEER_ANSWER_MILLISECONDS, {
      timers: this.#parts.timers,
      signals: [signal],
    });
    const answers = await Promise.allSettled(
      asked.map(async (peer) => ({ id: peer.id, head: await peer.headAt(sequence, deadline.signal) })),
    ).finally(() => deadline.clear());
    if (signal.aborted) return;
    const others = new Map<string, string>();
    for (const answer of answers) {
      if (answer.status === "fulfilled" && answer.value.head !== null)
        others.set(answer.value.id, answer.value.head.digest);
    }
    this.#stand(decideStanding({ svs: voters.size, own, others }), sequence, own);
  }

  #stand(standing: Standing, sequence: number, own: string): void {
    const { log, onMinority } = this.#parts;
    switch (standing.kind) {
      case "minority":
        onMinority(
          `it differs from the replicas of ${standing.holders.join(", ")} at entry ${sequence}: ` +
            `its digest is ${own}, theirs is ${standing.digest}`,
        );
        return;
      case "undecided":
        if (this.#dispute === null)
          log.error(
            { sequence, others: standing.odd },
            "replicas of the SVs differ, and none has a majority",
          );
        this.#dispute =
          `its replica and those of ${standing.odd.join(", ")} differ at entry ${sequence}, ` +
          "and no majority of the SVs says which is right";
        return;
      case "majority":
        for (const peer of standing.odd) this.#report(peer, sequence);
        this.#endDispute();
        return;
    }
  }

  #report(peer: string, sequence: number): void {
    if (this.#odd.has(peer)) return;
    this.#odd.add(peer);
    const { log } = this.#parts;
    log.error({ peer, sequence }, "another SV's replica differs from those of the majority");
  }

  /** Unless an SV still differs that no majority found wrong. */
  #endDispute(): void {
    const isOpen = [...this.#known].some(([id, { differsAt }]) => differsAt !== null && !this.#odd.has(id));
    if (!isOpen) this.#dispute = null;
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
