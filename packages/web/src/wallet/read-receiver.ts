/** The receiver that a user typed: a party's id, or a name. */
import { classifyQuery } from "../names/classify-query.ts";

export type Receiver =
  | { readonly kind: "none" }
  | { readonly kind: "party"; readonly party: string }
  | { readonly kind: "part-of-party" }
  | { readonly kind: "name"; readonly name: string };

/** A name without dots gets the suffix of names; one with dots is whole, such as `dso.cns`. */
export function readReceiver(typed: string, suffix: string): Receiver {
  const query = classifyQuery(typed);
  switch (query.kind) {
    case "nothing":
      return { kind: "none" };
    case "name":
      return { kind: "name", name: query.text.includes(".") ? query.text : query.text + suffix };
    default:
      return query;
  }
}
