/**
 * A log's new server may lack entries that the one before it had acknowledged. Nothing is appended in a new term before a quorum
 * of the SVs has signed that it holds nothing beyond the log's end: every acknowledged entry is held by a quorum, and two
 * quorums share an honest SV.
 */
import { type HeldQuestion, type HeldStatement, heldMessage } from "@callsign/api";
import { type Randomness, StoreUnwritable, startDeadline, type Timers } from "@callsign/node";
import { PEER_ANSWER_MILLISECONDS } from "../limits/limits.ts";
import type { LogHead, OrderedLog } from "../log/ordered-log.ts";
import type { Peer } from "./peer.ts";
import type { SvSignatureHolds } from "./sv-signatures.ts";

export interface ClearingParts {
  readonly log: Pick<OrderedLog, "head">;
  readonly network: string;
  /** The members that are SVs, by the ledger. */
  readonly svs: readonly string[];
  /** The SVs that can be asked, this one included. */
  readonly peers: readonly Peer[];
  /** The number of SVs that must hold nothing beyond the log's end. */
  readonly needed: number;
  readonly holds: SvSignatureHolds;
  readonly randomness: Randomness;
  readonly timers: Timers;
}

/** Throws a `StoreUnwritable` if the log lost entries, or too few SVs answered. */
export async function clearTerm(term: string, parts: ClearingParts): Promise<void> {
  const { svs, needed } = parts;
  const stated = await askHeld(term, parts);
  // Other sequencers append in the term once they have cleared it: within a term the log only grows.
  const head = await parts.log.head();
  const {
    isCleared,
    beyond: [first],
  } = decideClearance(stated, head, needed);
  if (isCleared) return;
  if (first !== undefined)
    throw new StoreUnwritable(
      `the log ends with entry ${head.sequence} since its server changed, but ${first[0]} holds entry ` +
        `${first[1].sequence}: the log lost its tail. Restore it with \`callsign log restore\``,
    );
  throw new StoreUnwritable(
    `the log's server changed, and ${stated.size} of ${svs.length} SVs said that it lost nothing: ` +
      `${needed} are needed. Start the others`,
  );
}

export interface Clearance {
  readonly isCleared: boolean;
  /** The SVs that hold entries beyond the log's end. */
  readonly beyond: readonly (readonly [string, LogHead])[];
}

/** Whether enough SVs hold nothing beyond the log's end. */
export function decideClearance(
  stated: ReadonlyMap<string, LogHead>,
  head: LogHead,
  needed: number,
): Clearance {
  const beyond = [...stated].filter(([, held]) => isBeyond(held, head));
  return { isCleared: stated.size - beyond.length >= needed, beyond };
}

/** The statements of the SVs that answered, by their ids. */
async function askHeld(term: string, parts: ClearingParts): Promise<ReadonlyMap<string, HeldStatement>> {
  const { svs, peers } = parts;
  const nonce = Buffer.from(parts.randomness.bytes(16)).toString("hex");
  const { sequence, entryHash } = await parts.log.head();
  const question: HeldQuestion = { sequence, entryHash, term, nonce };
  const deadline = startDeadline(PEER_ANSWER_MILLISECONDS, parts);
  const asked = peers.filter(({ id }) => svs.includes(id));
  const answers = await Promise.allSettled(
    asked.map(async (peer) => ({ id: peer.id, held: await peer.held(question, deadline.signal) })),
  ).finally(() => deadline.clear());
  const stated = new Map<string, HeldStatement>();
  for (const answer of answers) {
    if (answer.status === "rejected") continue;
    const { id, held } = answer.value;
    if (parts.holds(id, heldMessage(parts.network, id, question, held), held)) stated.set(id, held);
  }
  return stated;
}

function isBeyond(held: LogHead, head: LogHead): boolean {
  if (held.sequence === head.sequence) return held.entryHash !== head.entryHash;
  return held.sequence > head.sequence;
}
