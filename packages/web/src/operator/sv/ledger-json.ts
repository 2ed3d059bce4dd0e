/** Values of the ledger's JSON. A value that is missing or of another shape reads as empty. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A map of the ledger is a list of pairs, or an object. */
export function pairsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return Object.entries(fieldsOf(value));
  return value.flatMap((pair: unknown) =>
    Array.isArray(pair) ? [[textOf(pair[0]), pair[1] as unknown] as const] : [],
  );
}
