/** What a user typed as a receiver: a party's id, or a name. */
export type Receiver =
  | { readonly kind: "none" }
  | { readonly kind: "party"; readonly party: string }
  | { readonly kind: "name"; readonly name: string };

/** A name without dots gets the suffix of names; one with dots is whole, such as `dso.cns`. */
export function readReceiver(typed: string, suffix: string): Receiver {
  const text = typed.trim();
  if (text === "") return { kind: "none" };
  if (text.includes("::")) return { kind: "party", party: text };
  const name = text.toLowerCase();
  return { kind: "name", name: name.includes(".") ? name : name + suffix };
}

/** The forms of a party's id: a hint, two colons, and a fingerprint of 34 bytes. */
export function looksLikePartyId(text: string): boolean {
  return /^[a-zA-Z0-9:_-]{1,185}::1220[0-9a-f]{64}$/.test(text);
}
