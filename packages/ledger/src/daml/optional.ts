/**
 * Optional values. A plain optional is the value or null. Where the value is optional itself, null would
 * say two things, so the outer layer is wrapped: null or `{ some: inner }`.
 *
 * In JSON an optional inside an optional is a layer: `[]` for None, `[inner]` for Some. The ledger API writes
 * the outermost of several as a layer too, scan writes it as null or the next layer.
 */
import type { DamlType } from "./daml-type.ts";
import { inside } from "./decode-error.ts";
import type { JsonDialect } from "./json-dialect.ts";
import type { JsonValue } from "./json-value.ts";
import { refuse } from "./scalars.ts";
import { showApplied } from "./show.ts";

export interface OptionalType<T> extends DamlType<T | null> {
  readonly isOptional: true;
  /** The type of the value, unless that is optional itself. */
  readonly inner?: DamlType<T>;
  readonly toLayer: (value: T | null, dialect: JsonDialect) => readonly JsonValue[];
  readonly fromLayer: (json: unknown, dialect: JsonDialect) => T | null;
}

export interface Some<T> {
  readonly some: T;
}

export function optional<T>(inner: DamlType<T>): OptionalType<T> {
  if (inner.isOptional) throw new Error("an optional of an optional is written nestedOptional(...)");
  return {
    label: `optional ${inner.label}`,
    isOptional: true,
    isRigid: inner.isRigid,
    inner,
    encode: (value) => (value === null ? "null" : `[${inner.encode(value)}]`),
    decode: (data) => (data === null ? null : inner.decode(single(data))),
    toJson: (value, dialect) => (value === null ? null : inner.toJson(value, dialect)),
    fromJson: (json, dialect) => (json === null ? null : inner.fromJson(json, dialect)),
    toLayer: (value, dialect) => (value === null ? [] : [inner.toJson(value, dialect)]),
    fromLayer: (json, dialect) => fromLayer(json, (layer) => inner.fromJson(layer, dialect)),
    show: (value, asArgument) => showOptional(value, asArgument, inner.show),
    compare: (a, b) => compareOptional(a, b, inner.compare),
  };
}

/** Optional (Optional a), to any depth. */
export function nestedOptional<T>(inner: OptionalType<T>): OptionalType<Some<T | null>> {
  const some = (value: T | null): Some<T | null> => ({ some: value });
  const toLayer: OptionalType<Some<T | null>>["toLayer"] = (outer, dialect) =>
    outer === null ? [] : [inner.toLayer(outer.some, dialect)];
  const readLayer: OptionalType<Some<T | null>>["fromLayer"] = (json, dialect) =>
    fromLayer(json, (layer) => some(inner.fromLayer(layer, dialect)));
  return {
    label: `optional ${inner.label}`,
    isOptional: true,
    isRigid: inner.isRigid,
    encode: (outer) => (outer === null ? "null" : `[${inner.encode(outer.some)}]`),
    decode: (data) => (data === null ? null : some(inner.decode(single(data)))),
    toJson: (outer, dialect) => {
      if (dialect.nestsOptionalsInArrays) return toLayer(outer, dialect);
      return outer === null ? null : inner.toLayer(outer.some, dialect);
    },
    fromJson: (json, dialect) => {
      if (dialect.nestsOptionalsInArrays) return readLayer(json, dialect);
      return json === null ? null : some(inner.fromLayer(json, dialect));
    },
    toLayer,
    fromLayer: readLayer,
    show: (outer, asArgument) =>
      showOptional(outer, asArgument, ({ some: value }) => inner.show(value, true)),
    compare: (a, b) => compareOptional(a, b, (x, y) => inner.compare(x.some, y.some)),
  };
}

function fromLayer<T>(json: unknown, read: (layer: unknown) => T): T | null {
  if (!Array.isArray(json) || json.length > 1) return refuse("[] or [value]", json);
  if (json.length === 0) return null;
  try {
    return read(json[0]);
  } catch (error) {
    throw inside(0, error);
  }
}

function single(data: unknown): unknown {
  return Array.isArray(data) && data.length === 1 ? data[0] : refuse("null or an array of one", data);
}

function showOptional<T>(
  value: T | null,
  asArgument: boolean | undefined,
  show: (value: T, asArgument: boolean) => string,
): string {
  return value === null ? "None" : showApplied("Some", show(value, true), asArgument);
}

function compareOptional<T>(a: T | null, b: T | null, compare: (a: T, b: T) => number): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compare(a, b);
}
