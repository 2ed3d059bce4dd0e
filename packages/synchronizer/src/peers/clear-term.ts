/**
 * A log's new server may lack entries that the one before it had acknowledged. Nothing is appended in a new term before a quorum
 * of the SVs has signed that it holds nothing but entries of the log: every acknowledged entry is held by a quorum, and two
 * quorums share an honest SV.
 */
import { type HeldQuestion, type HeldStatement, heldMessage } from "@callsign/api";
import { type Randomness, StoreUnwritable, startDeadline, type Timers } from "@callsign/node";
import { PEER_ANSWER_MILLISECONDS } from "../limits/limits.ts";
import { findLogHash } from "../log/find-log-hash.ts";
import type { LogHead, OrderedLog } from "../log/ordered-log.ts";
import type { Peer } from "./peer.ts";
import type { SvSignatureHolds } from "./sv-signatures.ts";

export interface ClearingParts {
  /** The log itself, not a copy of it. */
  readonly log: Pick<OrderedLog, "head" | "follow">;
  readonly network: string;
  /** The members that are SVs, by the ledger. */
  readonly svs: readonly string[];
  /** The SVs that can be asked, this one included. */
  readonly peers: readonly Peer[];
  /** The number of SVs that must hold nothing but entries of the log. */
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
  const inLog = await readHashes(stated.values(), head, parts);
  const { isCleared, apart } = decideClearance(stated, inLog, needed);
  if (isCleared) return;
  const [beyond] = apart.filter(([, { sequence }]) => sequence > head.sequence);
  if (beyond !== undefined)
    throw new StoreUnwritable(
      `the log ends with entry ${head.sequence} since its server changed, but ${beyond[0]} holds entry ` +
        `${beyond[1].sequence}: the log lost its tail. Restore it with \`callsign log restore\``,
    );
  if (apart.length > 0)
    throw new StoreUnwritable(
      `the log's server changed, and ${apart.map(describeApart(inLog)).join("; ")}. ${stated.size - apart.length} of ` +
        `${svs.length} SVs hold entries of the log alone: ${needed} are needed. Start the others, or run \`callsign log restore\``,
    );
  throw new StoreUnwritable(
    `the log's server changed, and ${stated.size} of ${svs.length} SVs said that it lost nothing: ` +
      `${needed} are needed. Start the others`,
  );
}

export interface Clearance {
  readonly isCleared: boolean;
  /** The SVs whose last entry is none of the log's, or cannot be compared. */
  readonly apart: readonly (readonly [string, LogHead])[];
}

/** Whether enough SVs hold nothing but entries of the log. `inLog`: hashes of the log's entries, by their numbers. */
export function decideClearance(
  stated: ReadonlyMap<string, LogHead>,
  inLog: ReadonlyMap<number, string>,
  needed: number,
): Clearance {
  const apart = [...stated].filter(([, { sequence, entryHash }]) => inLog.get(sequence) !== entryHash);
  return { isCleared: stated.size - apart.length >= needed, apart };
}

/** The log's hashes at the places of these entries, as far as the log has them. */
async function readHashes(
  stated: Iterable<LogHead>,
  end: LogHead,
  parts: ClearingParts,
): Promise<ReadonlyMap<number, string>> {
  const deadline = startDeadline(PEER_ANSWER_MILLISECONDS, parts);
  const hashes = new Map<number, string>();
  try {
    for (const { sequence } of stated) {
      if (sequence > end.sequence || hashes.has(sequence)) continue;
      const found = await findLogHash(parts.log, sequence, { end, signal: deadline.signal });
      if (found !== null) hashes.set(sequence, found);
    }
    return hashes;
  } finally {
    deadline.clear();
  }
}

function describeApart(inLog: ReadonlyMap<number, string>) {
  return ([sv, { sequence, entryHash }]: readonly [string, LogHead]): string => {
    const own = inLog.get(sequence);
    const log = own === undefined ? "which the log cannot show any more" : `and the log has ${own} there`;
    return `${sv} holds entry ${sequence} with hash ${entryHash}, ${log}`;
  };
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
