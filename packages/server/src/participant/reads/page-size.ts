/** How many items a page has: what the reader says, within what the server allows. */
import { invalidArgument } from "../identifiers.ts";

export function readPageSize(
  given: number | null,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  if (given === null) return usual;
  if (given <= 0) throw invalidArgument(`Page size must be positive, unlike ${given}`);
  if (given > most) throw invalidArgument(`Page size must not exceed the server's maximum of ${most}`);
  return given;
}
