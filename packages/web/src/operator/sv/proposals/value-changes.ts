/** Differences between two values of the ledger's JSON, by field. */

export interface ValueChange {
  /** The names of the fields, with points between them. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function listChanges(before: unknown, after: unknown, path = ""): readonly ValueChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    listChanges(before[name] ?? null, after[name] ?? null, path === "" ? name : `${path}.${name}`),
  );
}

/** A length of time is one value. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("microseconds" in value);
}
