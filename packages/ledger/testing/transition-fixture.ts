/** Support for tests of the transition: entries signed by any keys, replicas of their own, results in one word. */
import { RenewalPreference } from "../src/contracts/callsign-names/declarations/names.ts";
import { networkCatalogue } from "../src/contracts/network-catalogue.ts";
import { decodeText } from "../src/daml/daml-type.ts";
import { type Command, createCommand } from "../src/engine/command.ts";
import { createEngine, type Engine } from "../src/engine/interpret.ts";
import type { ErrorCode } from "../src/errors/catalogue.ts";
import { EntryContent, type FoundNetwork } from "../src/transition/entry-content.ts";
import type { LedgerView } from "../src/transition/ledger-view.ts";
import { type Envelope, type LogEntry, signedMessage } from "../src/transition/log-entry.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import { createTransition, type TransitionParts } from "../src/transition/transition.ts";
import { formatContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { type Time, time } from "../src/values/time.ts";
import { type MemberKey, verifyEd25519 } from "./member-key.ts";
import { MemoryState } from "./memory-state.ts";
import { sha256 } from "./sha256.ts";
import type { SimulatedNetwork } from "./simulated-network.ts";

export const START: Time = time("2026-01-01T00:00:00Z");

/** ⌈(n + ⌊(n − 1) / 3⌋ + 1) / 2⌉ of n SVs. */
export const QUORUMS = [
  { svs: 1, required: 1 },
  { svs: 2, required: 2 },
  { svs: 4, required: 3 },
  { svs: 7, required: 5 },
] as const;

export function testEngine(): Engine {
  return createEngine({ catalogue: networkCatalogue, hash: sha256 });
}

/** Any text as an entry's content, signed by these keys. */
export function signText(content: string, keys: readonly MemberKey[]): Envelope {
  const message = signedMessage(content);
  return {
    content,
    signatures: keys.map((key) => ({ publicKey: key.publicKey, signature: key.sign(message) })),
  };
}

export function sign(content: EntryContent, keys: readonly MemberKey[]): Envelope {
  return signText(EntryContent.encode(content), keys);
}

/** The entry that would follow in this view. */
export function nextEntry({ head }: LedgerView, envelope: Envelope, stampedAt: Time = START): LogEntry {
  return { sequence: head.sequence + 1, previousHash: head.entryHash, stampedAt, ...envelope };
}

/** A replica with nothing in it yet. */
export class TestReplica {
  readonly state: MemoryState;
  readonly #transition;

  constructor(parts: Partial<TransitionParts> = {}, state: MemoryState = new MemoryState()) {
    this.state = state;
    this.#transition = createTransition({ engine: testEngine(), verify: verifyEd25519, ...parts });
  }

  /** The outcome the entry would have; nothing changes. */
  decide(entry: LogEntry): Outcome {
    return this.#transition.apply(entry, this.state);
  }

  apply(entry: LogEntry): Outcome {
    const outcome = this.decide(entry);
    this.state.absorb(outcome);
    return outcome;
  }

  append(envelope: Envelope, stampedAt: Time = START): Outcome {
    return this.apply(nextEntry(this.state, envelope, stampedAt));
  }
}

/** An outcome in one word. */
export function resultOf({ verdict }: Outcome): "accepted" | "ignored" | ErrorCode {
  return verdict.kind === "rejected" ? verdict.error.code : verdict.kind;
}

export function causeOf({ verdict }: Outcome): string {
  return verdict.kind === "rejected" ? verdict.error.cause : "";
}

/** The founding of a simulated network, to be changed and signed anew. */
export function foundingOf({ log }: SimulatedNetwork): FoundNetwork {
  const content = decodeText(EntryContent, log[0]?.content ?? "");
  if (content.tag !== "FoundNetwork") throw new Error("the first entry is not the founding");
  return content.value;
}

/** A command that needs nothing but its party's authority, and creates one contract. */
export function anyCommand(subscriber: PartyId, walletProvider: PartyId = subscriber): Command {
  const reference = formatContractId({ discriminator: "a".repeat(64), contentHash: "b".repeat(64) });
  return createCommand(RenewalPreference, { subscriber, walletProvider, reference, autoRenew: true });
}
