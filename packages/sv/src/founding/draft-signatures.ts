/**
 * The SVs' signatures under a draft. Every key of every SV signs a founding: the network's first entry needs all of them. An
 * activation is signed with the signing keys that SVs have on the ledger, which tells whether they are enough.
 */
import {
  type Envelope,
  type FoundNetwork,
  fingerprintOf,
  memberIdOf,
  type Signature,
  signedMessage,
} from "@callsign/ledger";
import { CannotStart, type MemberIdentity, SignatureChecks, sha256 } from "@callsign/node";
import type { NetworkDraft } from "./network-draft.ts";

/** An SV's signatures. */
export interface DraftSignature {
  /** The hash of the draft. */
  readonly draft: string;
  /** The name of the SV in the draft. */
  readonly sv: string;
  readonly signatures: readonly Signature[];
}

type DraftedSv = FoundNetwork["svs"][number];

export function signDraft(
  { kind, content, hash }: NetworkDraft,
  sv: string,
  { namespaceKey, signingKey }: MemberIdentity,
): DraftSignature {
  const message = signedMessage(content);
  const keys = kind === "founding" ? [namespaceKey, signingKey] : [signingKey];
  const signatures = keys.map((key) => ({
    publicKey: key.publicKey,
    signature: key.sign(message),
  }));
  return { draft: hash, sv, signatures };
}

/** The SV's id on the network. */
export function idOfDrafted({ nodeIdentifier, namespaceKey }: DraftedSv): string {
  const id = memberIdOf(sha256, nodeIdentifier, namespaceKey);
  return id.ok ? id.value : `${nodeIdentifier}::${fingerprintOf(sha256, namespaceKey)}`;
}

/** The entry with its signatures. Throws `CannotStart` with everything that is wrong or missing. */
export function collectSignatures(draft: NetworkDraft, given: readonly DraftSignature[]): Envelope {
  const { verify } = new SignatureChecks();
  const message = signedMessage(draft.content);
  const valid = new Map<string, Signature>();
  const problems: string[] = [];
  for (const { draft: hash, sv, signatures } of given) {
    if (hash !== draft.hash) {
      problems.push(`the signature of ${sv} is for another draft, ${hash}`);
      continue;
    }
    for (const each of signatures) {
      if (verify(each.publicKey, message, each.signature)) valid.set(each.publicKey, each);
      else problems.push(`a signature of ${sv} does not hold (key ${each.publicKey})`);
    }
  }
  const svs = draft.kind === "founding" ? draft.founding.svs : [];
  const missing = svs.filter((sv) => !keysOf(sv).every((key) => valid.has(key))).map(({ name }) => name);
  if (missing.length > 0)
    problems.push(
      `${missing.length} of ${svs.length} SVs have not signed: run callsign network sign at ${missing.join(", ")}`,
    );
  if (problems.length > 0) throw new CannotStart(`draft ${draft.hash}: ${problems.join("; ")}`);
  // The signatures of a founding are in the order of its SVs.
  const inOrder = svs.flatMap((sv) => keysOf(sv).map((key) => valid.get(key) as Signature));
  return { content: draft.content, signatures: draft.kind === "founding" ? inOrder : [...valid.values()] };
}

function keysOf({ namespaceKey, signingKeys }: DraftedSv): readonly string[] {
  return [namespaceKey, ...signingKeys];
}
