/** The size of a page: the reader's choice, within the server's limit. */
import { invalidArgument } from "../requests/identifiers.ts";

/** For requests in which 0 means the server's limit. */
export function readPageLimit(given: number, most: number): number {
  if (given < 0) throw invalidArgument("Page size must be non-negative");
  if (given > most) throw tooLarge(most);
  return given === 0 ? most : given;
}

export function readPageSize(
  given: number | null,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (given === null) return usual;
  if (given <= 0) throw invalidArgument(`Page size must be positive, unlike ${given}`);
  if (given > most) throw tooLarge(most);
  return given;
}

function tooLarge(most: number): Error {
  return invalidArgument(`Page size must not exceed the server's maximum of ${most}`);
}
