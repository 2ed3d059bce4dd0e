/**
 * Update masks select fields of a request: a path names a field, or it is a prefix of the field's path. Unknown paths are
 * reported before duplicates. A path with a dot at its end is unknown.
 */
import type { Parsed } from "@callsign/ledger";

/** True for a field that the mask selects. */
export type UpdateMask = (field: string) => boolean;

/** `fields` are the full paths of all fields, such as `local_metadata.annotations`. */
export function parseUpdateMask(paths: readonly string[], fields: readonly string[]): Parsed<UpdateMask> {
  if (paths.length === 0) return { ok: false, error: "The update mask contains no entries" };
  const covers = (path: string, field: string) => field === path || field.startsWith(`${path}.`);
  const unknown = paths.find((path) => !fields.some((field) => covers(path, field)));
  if (unknown !== undefined) {
    const error = `The update path: '${unknown.slice(0, 200)}' points to an unknown field.`;
    return { ok: false, error };
  }
  const repeated = paths.find((path, i) => paths.indexOf(path) < i);
  if (repeated !== undefined) return { ok: false, error: `The update path: '${repeated}' is duplicated.` };
  return { ok: true, value: (field) => paths.some((path) => covers(path, field)) };
}
