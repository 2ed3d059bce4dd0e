/** One page of registered and well-known names, in the order of their bytes. */
import type { ListedName } from "../rows/name-pages.ts";

export interface NamePage {
  readonly names: readonly ListedName[];
  /** The last name, if others follow it. */
  readonly next: string | null;
}

/** Each list may be one longer than the page, which tells that others follow. */
export function mergeNames(
  registered: readonly ListedName[],
  wellKnown: readonly ListedName[],
  limit: number,
): NamePage {
  const all = wellKnown.length === 0 ? registered : [...registered, ...wellKnown].toSorted(byBytes);
  const names = all.slice(0, limit);
  const hasMore = all.length > limit;
  return { names, next: hasMore ? (names.at(-1)?.name ?? null) : null };
}

function byBytes(a: ListedName, b: ListedName): number {
  return compareBytes(a.name, b.name);
}

/** JavaScript orders texts by halves of characters, the index by their UTF-8. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
