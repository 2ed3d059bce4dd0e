/**
 * The owners of names at the time when the user last sent to them, so that a name in other hands is noticed. Kept in the browser
 * for each party: names and owners alone, and a bounded number of them.
 */
import { keepPreference, readPreference } from "../browser/preferences.ts";

const MAX_KNOWN = 200;

type KnownOwners = readonly (readonly [name: string, owner: string])[];

/** Texts that are not such a list read as an empty one. */
export function parseKnownOwners(text: string | null): KnownOwners {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list.filter(isPair).slice(0, MAX_KNOWN) : [];
  } catch {
    return [];
  }
}

function isPair(item: unknown): item is readonly [string, string] {
  return Array.isArray(item) && item.length === 2 && item.every((part) => typeof part === "string");
}

/** The newest first; the oldest are forgotten. */
export function withOwner(known: KnownOwners, name: string, owner: string): KnownOwners {
  return [[name, owner] as const, ...known.filter(([other]) => other !== name)].slice(0, MAX_KNOWN);
}

const keyOf = (party: string) => `sent-to.${party}`;

/** The owner that the party last sent to by this name; null if it never did from this browser. */
export function findKnownOwner(party: string, name: string): string | null {
  const known = parseKnownOwners(readPreference(keyOf(party)));
  return known.find(([other]) => other === name)?.[1] ?? null;
}

export function rememberOwner(party: string, name: string, owner: string): void {
  const known = parseKnownOwners(readPreference(keyOf(party)));
  keepPreference(keyOf(party), JSON.stringify(withOwner(known, name, owner)));
}
