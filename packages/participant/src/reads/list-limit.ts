/** The limit of a list. A list with more items than the server allows is an error, unless the caller asked for fewer. */
import { MAX_LIST_ELEMENTS } from "@callsign/api";
import { failWith, invalidArgument } from "../requests/identifiers.ts";

export interface ListLimit {
  /** The number of items to look for. */
  readonly sought: number;
  /** Returns the items to answer; throws if there are too many. */
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
      return failWith("JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED", cause);
    },
  };
}
