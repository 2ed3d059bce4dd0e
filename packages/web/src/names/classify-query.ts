/**
 * Sorts what people type or paste into the search: a party id, the beginning of one, or a name. Names are written in small
 * letters, so capitals are taken for small ones; an `@` in front and the address of a page of ours are left out.
 */
import { isPartyId } from "../words/party-id.ts";

export type NameQuery =
  | { readonly kind: "nothing" }
  | { readonly kind: "party"; readonly party: string }
  | { readonly kind: "part-of-party" }
  /** `text` begins the names that are listed. */
  | { readonly kind: "name"; readonly text: string };

export function classifyQuery(typed: string): NameQuery {
  const text = withoutAddress(typed.trim());
  if (text === "") return { kind: "nothing" };
  if (isPartyId(text)) return { kind: "party", party: text };
  if (text.includes("::")) return { kind: "part-of-party" };
  const name = text.replace(/^@+/, "").toLowerCase();
  return name === "" ? { kind: "nothing" } : { kind: "name", text: name };
}

function withoutAddress(text: string): string {
  const found = /^https?:\/\/[^/]+\/(?:names|parties|register)\/([^/?#]+)/i.exec(text)?.[1];
  if (found === undefined) return text;
  try {
    return decodeURIComponent(found);
  } catch {
    return text;
  }
}
