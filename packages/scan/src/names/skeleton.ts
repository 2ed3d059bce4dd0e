/**
 * Names that look alike have the same skeleton. It is made of the part of a name before its first dot: pairs that look like
 * one letter become that letter, letters and digits that look alike become one of them, and marks are left out.
 *
 * The index over skeletons is made of the same SQL. A change of these pairs needs a migration that makes the index anew.
 */
const PAIRS: readonly (readonly [seen: string, as: string])[] = [
  ["rn", "m"],
  ["vv", "w"],
  ["cl", "d"],
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["2", "z"],
  ["5", "s"],
  ["8", "b"],
  ["9", "g"],
  ["q", "g"],
  ["-", ""],
  ["_", ""],
];

export function skeletonOf(name: string): string {
  const [label = ""] = name.split(".", 1);
  return PAIRS.reduce((text, [seen, as]) => text.replaceAll(seen, as), label);
}

/** The skeleton of the column `name`. */
export const SKELETON_SQL: string = PAIRS.reduce(
  (sql, [seen, as]) => `replace(${sql}, '${seen}', '${as}')`,
  "substr(name, 1, instr(name || '.', '.') - 1)",
);
