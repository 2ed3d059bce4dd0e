/**
 * A party id: `<hint>::<fingerprint>`.
 * The hint is 1–185 characters of letters, digits, `:`, `-`, `_` and space; the fingerprint is the namespace
 * that owns the party, 1–68 of the same characters. The first `::` separates them, and there is no other.
 */
import { malformed, type Parsed, parsed } from "./parsed.ts";

export type PartyId = string & { readonly partyId: unique symbol };

const SEPARATOR = "::";
const CHARACTERS = /^[A-Za-z0-9:\-_ ]+$/;
const MAX_HINT = 185;
const MAX_NAMESPACE = 68;
const MAX_LENGTH = MAX_HINT + SEPARATOR.length + MAX_NAMESPACE;
const ALLOWED =
  "a party id reads <hint>::<fingerprint>, with letters, digits, ':', '-', '_' and spaces, " +
  "a hint of 1 to 185 and a fingerprint of 1 to 68 characters, and '::' only between them";

export function parsePartyId(given: string): Parsed<PartyId> {
  return isPartyId(given) ? parsed(given) : malformed("party id", given, ALLOWED);
}

export function isPartyId(given: string): given is PartyId {
  if (given.length > MAX_LENGTH || !CHARACTERS.test(given)) return false;
  const hintLength = given.indexOf(SEPARATOR);
  const namespaceStart = hintLength + SEPARATOR.length;
  const namespaceLength = given.length - namespaceStart;
  return (
    hintLength >= 1 &&
    hintLength <= MAX_HINT &&
    namespaceLength >= 1 &&
    namespaceLength <= MAX_NAMESPACE &&
    !given.includes(SEPARATOR, namespaceStart)
  );
}

export function formatPartyId(parts: { hint: string; namespace: string }): Parsed<PartyId> {
  // `a:` + `::` + `b` would read as the hint `a` and the namespace `:b`.
  if (parts.hint.includes(SEPARATOR) || parts.hint.endsWith(":")) {
    return malformed("party hint", parts.hint, "a hint does not contain '::' and does not end with ':'");
  }
  return parsePartyId(`${parts.hint}${SEPARATOR}${parts.namespace}`);
}

export function partyHint(party: PartyId): string {
  return party.slice(0, party.indexOf(SEPARATOR));
}

export function partyNamespace(party: PartyId): string {
  return party.slice(party.indexOf(SEPARATOR) + SEPARATOR.length);
}
