/** Finds the keys of a table along a path of names and list items. */
import type { Key, KeyTable } from "./key.ts";

export interface KeyMatch {
  readonly key: Key;
  /** The parts of its path that are still to come. */
  readonly rest: readonly string[];
}

export function matchAll(table: KeyTable): readonly KeyMatch[] {
  return table.map((key) => ({ key, rest: segmentsOf(key.path) }));
}

export function matchName(matches: readonly KeyMatch[], name: string): readonly KeyMatch[] {
  return advance(matches, ({ rest }) => rest[0] === name || rest[0] === "*");
}

export function matchItem(matches: readonly KeyMatch[]): readonly KeyMatch[] {
  return advance(matches, ({ rest }) => rest[0] === "[]");
}

/** The key whose path ends here. */
export function findMatched(matches: readonly KeyMatch[]): Key | undefined {
  return matches.find(({ rest }) => rest.length === 0)?.key;
}

/** The key of a path as findings write it: names with dots are quoted, items are numbers. */
export function findKey(table: KeyTable, path: string): Key | undefined {
  const parts = path.replaceAll(/\[(\d*)\]/g, ".$1").match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? [];
  let matches = matchAll(table);
  for (const part of parts) {
    const named = matchName(matches, part);
    matches = named.length > 0 ? named : /^\d+$/.test(part) ? matchItem(matches) : [];
  }
  return findMatched(matches) ?? table.find((key) => key.path === path);
}

/** `svs[].ports.scan` is `svs`, `[]`, `ports`, `scan`. */
function segmentsOf(path: string): readonly string[] {
  return path.replaceAll("[]", ".[]").split(".");
}

function advance(matches: readonly KeyMatch[], fits: (match: KeyMatch) => boolean): readonly KeyMatch[] {
  return matches.filter(fits).map(({ key, rest }) => ({ key, rest: rest.slice(1) }));
}
