/** How many items a list answers. Whoever asks for more than the server allows, and has more, is told so. */
import { MAX_LIST_ELEMENTS } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { failWith, invalidArgument } from "../requests/identifiers.ts";

export interface ListLimit {
  /** How many to look for. */
  readonly sought: number;
  /** What is answered of those found. */
  readonly cut: <T>(found: readonly T[]) => T[];
}

export function readListLimit(limit: bigint | null): ListLimit {
  if (limit !== null && limit < 0n) throw invalidArgument(`limit must not be negative, unlike ${limit}`);
  if (limit !== null && limit <= MAX_LIST_ELEMENTS) {
    const sought = Number(limit);
    return { sought, cut: (found) => found.slice(0, sought) };
  }
  return {
    sought: MAX_LIST_ELEMENTS + 1,
    cut: (found) => {
      if (found.length <= MAX_LIST_ELEMENTS) return [...found];
      const cause = `The list has more than ${MAX_LIST_ELEMENTS} elements: ask for at most that many with limit, and then for the rest`;
      return failWith(ledgerError("JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED", cause));
    },
  };
}
