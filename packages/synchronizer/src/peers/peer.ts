/** An SV as the other SVs hear of it: by direct calls within one process, over its sequencer's API otherwise. */
import type { CopyPage, CopyQuestion, HeldQuestion, HeldStatement } from "@callsign/api";
import type { AppliedHead } from "../replica/applied-heads.ts";

export interface Peer {
  /** The SV's member id. */
  readonly id: string;
  /** The last entry that the SV has applied, as soon as its number is higher than `above`. */
  readonly head: (above: number, signal: AbortSignal) => Promise<AppliedHead>;
  /** An entry that the SV has applied, as soon as it has; null if that was too long ago. */
  readonly headAt: (sequence: number, signal: AbortSignal) => Promise<AppliedHead | null>;
  /** A signed statement of the last entry that the SV holds, asked about the end of a log in a new term. */
  readonly held: (question: HeldQuestion, signal: AbortSignal) => Promise<HeldStatement>;
  /** A page of the SV's own copy of the log, behind an entry. */
  readonly showCopy: (question: CopyAsked, signal: AbortSignal) => Promise<CopyPage>;
  /** Has the SV append a tick, with a stamp of its clock. Resolves with its number once it is in the log. */
  readonly tick: (signal: AbortSignal) => Promise<number>;
}

/** A question without the asker. */
export type CopyAsked = Pick<CopyQuestion, "sequence" | "entryHash" | "term" | "nonce">;

/** Knows the SVs that there are, and tells when others come or go. */
export interface PeerSource {
  /** Calls the listener at once, and after every change. Returns a function that stops it. */
  readonly watch: (listener: (peers: readonly Peer[]) => void) => () => void;
}
