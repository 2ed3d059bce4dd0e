/** This SV as a peer of the others: they call it directly, or through its sequencer's API. */
import {
  type HeldQuestion,
  type HeldStatement,
  headMessage,
  heldMessage,
  type SignedHead,
} from "@callsign/api";
import type { SigningKey } from "@callsign/node";
import type { LogHead } from "../log/ordered-log.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import type { Peer } from "./peer.ts";

export interface OwnPeerParts extends Pick<Peer, "id" | "tick"> {
  readonly heads: AppliedHeads;
  /** The network's id; empty before the founding. */
  readonly network: () => string;
  /** The key that signs now. */
  readonly signingKey: () => SigningKey;
  /** The last entry in this SV's own copy of the log. */
  readonly copied: () => Promise<LogHead>;
}

export class OwnPeer implements Peer {
  readonly id: string;
  readonly tick: Peer["tick"];
  readonly #parts: OwnPeerParts;

  constructor(parts: OwnPeerParts) {
    this.id = parts.id;
    this.tick = parts.tick;
    this.#parts = parts;
  }

  readonly head = async (above: number, signal: AbortSignal): Promise<AppliedHead> => {
    const { heads } = this.#parts;
    await heads.reach(above + 1, signal);
    return heads.last;
  };

  readonly headAt = async (sequence: number, signal: AbortSignal): Promise<AppliedHead | null> => {
    const { heads } = this.#parts;
    await heads.reach(sequence, signal);
    return heads.find(sequence) ?? null;
  };

  readonly held = async (question: HeldQuestion): Promise<HeldStatement> => {
    const { heads, copied, network } = this.#parts;
    const copy = await copied();
    const { sequence, entryHash } = copy.sequence > heads.last.sequence ? copy : heads.last;
    const message = heldMessage(network(), this.id, question, { sequence, entryHash });
    return { sequence, entryHash, ...this.#sign(message) };
  };

  signHead({ sequence, entryHash, digest }: AppliedHead): SignedHead {
    const head = { sequence, entryHash, digest };
    return { ...head, ...this.#sign(headMessage(this.#parts.network(), this.id, head)) };
  }

  #sign(message: string) {
    const key = this.#parts.signingKey();
    return { publicKey: key.publicKey, signature: key.sign(message) };
  }
}
