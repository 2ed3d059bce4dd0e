/** How many items a page has: what the reader says, within what the server allows. */
import { invalidArgument } from "../requests/identifiers.ts";

/** Where 0 means as many as the server allows. */
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
