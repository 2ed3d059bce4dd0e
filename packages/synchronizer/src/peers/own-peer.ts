/** This SV as a peer of the others: they call it directly, or through its sequencer's API. */
import {
  type CopyPage,
  copyPageMessage,
  type HeldQuestion,
  type HeldStatement,
  headMessage,
  heldMessage,
  type SignedHead,
} from "@callsign/api";
import type { SigningKey } from "@callsign/node";
import { LogTrimmed } from "../log/ordered-log.ts";
import type { StoredEntries } from "../log/sqlite-log.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import type { CopyAsked, Peer } from "./peer.ts";

export interface OwnPeerParts extends Pick<Peer, "id" | "tick"> {
  readonly heads: AppliedHeads;
  /** The network's id; empty before the founding. */
  readonly network: () => string;
  /** The key that signs now. */
  readonly signingKey: () => SigningKey;
  /** This SV's own copy of the log; null if it has none. */
  readonly copy: StoredEntries | null;
  /** Throws unless this SV may say what it holds in this term. Afterwards it copies nothing of earlier terms. */
  readonly enterTerm: (term: string) => Promise<void>;
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

  get hasCopy(): boolean {
    return this.#parts.copy !== null;
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
    const { heads, copy, network } = this.#parts;
    await this.#parts.enterTerm(question.term);
    const copied = (await copy?.head()) ?? heads.last;
    const { sequence, entryHash } = copied.sequence > heads.last.sequence ? copied : heads.last;
    const message = heldMessage(network(), this.id, question, { sequence, entryHash });
    return { sequence, entryHash, ...this.#sign(message) };
  };

  readonly showCopy = async (question: CopyAsked): Promise<CopyPage> => {
    const { copy, network } = this.#parts;
    if (copy === null) throw new Error("this SV has no copy of the log");
    await this.#parts.enterTerm(question.term);
    const head = await copy.head();
    const start = await copy.start();
    const { sequence, entryHash } = question;
    // It cannot tell what it held there: to say that it lacks the entry would be wrong.
    if (sequence < start.sequence) throw new LogTrimmed(sequence, start);
    const follows = copy.findHash(sequence) === entryHash;
    const page = follows ? copy.readBehind(sequence) : null;
    const last = page !== null && page.entries.length > 0 ? page.head : { sequence, entryHash };
    // The copy may have grown since its end was read.
    const shown = { end: last.sequence > head.sequence ? last : head, follows, last };
    const signed = this.#sign(copyPageMessage(network(), this.id, question, shown));
    return { ...shown, entries: [...(page?.entries ?? [])], ...signed };
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
