/** `<hint>::<fingerprint>`: the fingerprint is `1220` and 64 digits in hex. */
const PARTY = /^[\w\-: ]{1,185}::1220[0-9a-f]{64}$/i;

export function isPartyId(text: string): boolean {
  return PARTY.test(text);
}
