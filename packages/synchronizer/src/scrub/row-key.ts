/** Values that order rows, in SQLite's own order, and as the text of a scrub's place. */
import { bytesOfHex, hexOf } from "@callsign/node";
import type { CheckedValue } from "../replica/row-check.ts";

export type RowKey = readonly CheckedValue[];

/** In the order of the table: texts have no characters beyond the first 65,536. */
export function compareKeys(one: RowKey, other: RowKey): number {
  for (const [i, value] of one.entries()) {
    const order = compareValues(value, other[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Null comes before numbers, these before texts, and these before bytes. */
export function compareValues(one: CheckedValue, other: CheckedValue): number {
  const [a, b] = [asComparable(one), asComparable(other)];
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
}

function asComparable(value: CheckedValue): { readonly kind: number; readonly value: bigint | string } {
  if (value === null) return { kind: 0, value: "" };
  if (typeof value === "string") return { kind: 2, value };
  if (value instanceof Uint8Array) return { kind: 3, value: hexOf(value) };
  return { kind: 1, value: BigInt(value) };
}

/** Integers may be larger than those of JSON. */
export function formatKey(key: RowKey): string {
  return JSON.stringify(key.map(formatValue));
}

function formatValue(value: CheckedValue): unknown {
  if (value instanceof Uint8Array) return { bytes: hexOf(value) };
  return typeof value === "bigint" || typeof value === "number" ? { integer: `${value}` } : value;
}

/** Null if the text is of an earlier release. */
export function parseKey(text: string): RowKey | null {
  const key: unknown = JSON.parse(text);
  return Array.isArray(key) ? key.map(parseValue) : null;
}

function parseValue(
  value: string | null | { readonly integer: string } | { readonly bytes: string },
): CheckedValue {
  if (value === null || typeof value === "string") return value;
  return "integer" in value ? BigInt(value.integer) : bytesOfHex(value.bytes);
}
