/**
 * A party id: `<hint>::<fingerprint>`.
 * The hint is 1–185 characters of letters, digits, `:`, `-`, `_` and space, without `::`; the fingerprint
 * is the namespace that owns the party, 1–68 of the same characters; the whole has at most 255.
 */
import { malformed, type Parsed, parsed } from "./parsed.ts";

export type PartyId = string & { readonly partyId: unique symbol };

const CHARACTERS = /^[A-Za-z0-9:\-_ ]+$/;
const MAX_HINT = 185;
const MAX_NAMESPACE = 68;
const MAX_LENGTH = 255;
const ALLOWED =
  "a party id reads <hint>::<fingerprint>, with letters, digits, ':', '-', '_' and spaces, " +
  "a hint of 1 to 185 and a fingerprint of 1 to 68 characters";

export function parsePartyId(given: string): Parsed<PartyId> {
  return isPartyId(given) ? parsed(given) : malformed("party id", given, ALLOWED);
}

export function isPartyId(given: string): given is PartyId {
  if (given.length > MAX_LENGTH || !CHARACTERS.test(given)) return false;
  const split = given.indexOf("::");
  if (split < 1 || split > MAX_HINT) return false;
  const namespaceLength = given.length - split - 2;
  return namespaceLength >= 1 && namespaceLength <= MAX_NAMESPACE;
}

export function formatPartyId(parts: { hint: string; namespace: string }): Parsed<PartyId> {
  if (parts.hint.includes("::")) return malformed("party hint", parts.hint, "a hint does not contain '::'");
  return parsePartyId(`${parts.hint}::${parts.namespace}`);
}

export function partyHint(party: PartyId): string {
  return party.slice(0, party.indexOf("::"));
}

export function partyNamespace(party: PartyId): string {
  return party.slice(party.indexOf("::") + 2);
}
