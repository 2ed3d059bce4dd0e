/**
 * Other SVs whose digests differ from the one of this SV. At each difference all of them are asked: a minority replica must
 * halt, the others report it, and without a majority nobody can say which one is right.
 */
import { type Log, startDeadline, type Timers } from "@callsign/node";
import { PEER_ANSWER_MILLISECONDS } from "../limits/limits.ts";
import type { AppliedHead } from "../replica/applied-heads.ts";
import { decideStanding, type Standing } from "./decide-standing.ts";
import type { Peer } from "./peer.ts";

interface DisagreementsParts {
  /** The members that are SVs, by the ledger. */
  readonly svs: () => readonly string[];
  /** The other SVs that can be asked. */
  readonly peers: () => readonly Peer[];
  /** Gets the reason: more than f other SVs agree on another outcome. */
  readonly onMinority: (reason: string) => void;
  readonly timers: Timers;
  readonly log: Log;
}

export class Disagreements {
  readonly #parts: DisagreementsParts;
  /** The ids of SVs whose last digest was another one. */
  readonly #differing = new Set<string>();
  /** The ids of SVs that a majority finds wrong. */
  readonly #odd = new Set<string>();
  #dispute: string | null = null;

  constructor(parts: DisagreementsParts) {
    this.#parts = parts;
  }

  /** The reason why nobody can say whose replica is right; null if there is none. */
  get dispute(): string | null {
    return this.#dispute;
  }

  has(id: string): boolean {
    return this.#differing.has(id);
  }

  /** The SV has another digest than this one at the entry. */
  async begin(id: string, own: AppliedHead, signal: AbortSignal): Promise<void> {
    this.#differing.add(id);
    if (!this.#odd.has(id)) await this.#settle(own, signal);
  }

  /** The SV has the digest of this one at the entry. */
  async end(id: string, own: AppliedHead, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    this.#differing.delete(id);
    if (this.#odd.delete(id))
      log.info({ peer: id, sequence: own.sequence }, "another SV's replica agrees again");
    if (this.#dispute !== null) await this.#settle(own, signal);
  }

  /** Asks all others for their digests at the entry. */
  async #settle(own: AppliedHead, signal: AbortSignal): Promise<void> {
    const { svs, peers, timers } = this.#parts;
    const deadline = startDeadline(PEER_ANSWER_MILLISECONDS, { timers, signals: [signal] });
    const answers = await Promise.allSettled(
      peers().map(async (peer) => ({
        id: peer.id,
        head: await peer.headAt(own.sequence, deadline.signal),
      })),
    ).finally(() => deadline.clear());
    if (signal.aborted) return;
    const others = new Map<string, string>();
    for (const answer of answers) {
      if (answer.status === "fulfilled" && answer.value.head !== null)
        others.set(answer.value.id, answer.value.head.digest);
    }
    this.#stand(decideStanding({ svs: new Set(svs()).size, own: own.digest, others }), own);
  }

  #stand(standing: Standing, { sequence, digest }: AppliedHead): void {
    const { log, onMinority } = this.#parts;
    switch (standing.kind) {
      case "minority":
        onMinority(
          `it differs from the replicas of ${standing.holders.join(", ")} at entry ${sequence}: ` +
            `its digest is ${digest}, theirs is ${standing.digest}`,
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
    if ([...this.#differing].every((id) => this.#odd.has(id))) this.#dispute = null;
  }
}
