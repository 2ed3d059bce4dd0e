/**
 * Keys and the names made from them. A public key is 32 bytes of Ed25519 in lower-case hex. A member has a
 * namespace key, whose fingerprint names the member and its parties, and signing keys it delegates to.
 */
import { type Hash, multihash } from "../values/hash.ts";
import type { Parsed } from "../values/parsed.ts";
import { formatPartyId, type PartyId } from "../values/party-id.ts";

/** Checks that the signature (hex) over the message is by the holder of the public key. Handed in, like the hash. */
export type Verify = (publicKey: string, message: string, signature: string) => boolean;

const PUBLIC_KEY = /^[0-9a-f]{64}$/;

export function isPublicKey(given: string): boolean {
  return PUBLIC_KEY.test(given);
}

export function fingerprintOf(hash: Hash, publicKey: string): string {
  return multihash(hash(publicKey));
}

/** The DSO belongs to all founding SVs: its namespace hashes their keys. */
export function dsoNamespaceOf(hash: Hash, namespaceKeys: readonly string[]): string {
  return multihash(hash(`dso\n${[...namespaceKeys].sort().join("\n")}`));
}

/** `<node identifier>::<fingerprint>`: the member's id, of the same form as a party's. */
export function memberIdOf(hash: Hash, nodeIdentifier: string, namespaceKey: string): Parsed<PartyId> {
  return formatPartyId({ hint: nodeIdentifier, namespace: fingerprintOf(hash, namespaceKey) });
}
