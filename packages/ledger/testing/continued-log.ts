/** The log in which a simulated network goes on, signed by its SVs. */
import type { ContinueNetwork } from "../src/transition/continuation-content.ts";
import { draftContinuation, draftParts } from "../src/transition/draft-continuation.ts";
import type { Member } from "../src/transition/ledger-view.ts";
import type { Envelope } from "../src/transition/log-entry.ts";
import type { MemberKey } from "./member-key.ts";
import { sha256 } from "./sha256.ts";
import type { SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";
import { sign } from "./transition-fixture.ts";

export interface Continuation {
  readonly entry: ContinueNetwork;
  /** Contents of the parts. */
  readonly parts: readonly string[];
}

export function continuationOf({ state, network, svs }: SimulatedNetwork): Continuation {
  const parts = [...draftParts(state.listCarried())];
  const members = svs.map(({ id }) => state.findMember(id) as Member);
  const entry = draftContinuation({ head: state.head, network }, members, parts.map(sha256));
  return { entry, parts };
}

export function signContinuation(entry: ContinueNetwork, keys: readonly MemberKey[]): Envelope {
  return sign({ tag: "ContinueNetwork", value: entry }, keys);
}

export function signingKeys(svs: readonly SimulatedMember[]): readonly MemberKey[] {
  return svs.map(({ signingKey }) => signingKey);
}

export function unsigned(content: string): Envelope {
  return { content, signatures: [] };
}
