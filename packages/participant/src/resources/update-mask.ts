/**
 * Update masks select fields of a request. A path names a field exactly, and then its value is used even if it is the
 * default; or it is a prefix of a field's path, and then only a value that differs from the default is used.
 */
export interface UpdateMask {
  readonly selects: (path: string) => "exactly" | "by-prefix" | null;
}

export type ReadMask =
  | { readonly ok: true; readonly mask: UpdateMask }
  | { readonly ok: false; readonly fault: string };

/**
 * Unknown paths are reported before duplicates. A path with a dot at its end is unknown. `fields` are the full paths of
 * all fields, such as `local_metadata.annotations`.
 */
export function readUpdateMask(paths: readonly string[], fields: readonly string[]): ReadMask {
  if (paths.length === 0) return refuse("The update mask contains no entries");
  const unknown = paths.find(
    (path) => !fields.some((field) => field === path || field.startsWith(`${path}.`)),
  );
  if (unknown !== undefined) {
    return refuse(`The update path: '${unknown.slice(0, 200)}' points to an unknown field.`);
  }
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) return refuse(`The update path: '${path}' is duplicated.`);
    seen.add(path);
  }
  const selects: UpdateMask["selects"] = (field) => {
    if (seen.has(field)) return "exactly";
    return [...seen].some((path) => field.startsWith(`${path}.`)) ? "by-prefix" : null;
  };
  return { ok: true, mask: { selects } };
}

function refuse(fault: string): ReadMask {
  return { ok: false, fault };
}
