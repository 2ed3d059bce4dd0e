/** Fields of contracts' payloads. A field that is missing reads as an empty text: other versions of a template may lack it. */
type Payload = unknown;

function valueAt(payload: Payload, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (Reflect.get(value, key) as unknown) : undefined,
    payload,
  );
}

export function textAt(payload: Payload, ...path: readonly string[]): string {
  const value = valueAt(payload, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function isTrueAt(payload: Payload, ...path: readonly string[]): boolean {
  return valueAt(payload, path) === true;
}

export function listAt(payload: Payload, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(payload, path);
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The keys and values of a map, which is written as an object. */
export function entriesAt(
  payload: Payload,
  ...path: readonly string[]
): readonly (readonly [string, unknown])[] {
  const value = valueAt(payload, path);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Milliseconds of a RelTime; 0 if it is missing. */
export function lengthAt(payload: Payload, ...path: readonly string[]): number {
  const microseconds = textAt(payload, ...path, "microseconds");
  return /^\d+$/.test(microseconds) ? Number(BigInt(microseconds) / 1000n) : 0;
}
