/**
 * Lists, text maps, maps with keys of any type, and sets. Maps are arrays of pairs in key order without
 * duplicates, which is how Daml orders them too.
 */
import type { DamlType } from "./daml-type.ts";
import { DecodeError, inside } from "./decode-error.ts";
import { isJsonObject, type JsonValue } from "./json-value.ts";
import { type RecordType, record } from "./record.ts";
import { refuse, text, type Unit, unit } from "./scalars.ts";

export type DamlMap<K, V> = readonly (readonly [K, V])[];

export function list<T>(element: DamlType<T>): DamlType<readonly T[]> {
  return {
    label: "list",
    isOptional: false,
    encode: (values) => `[${values.map(element.encode).join(",")}]`,
    decode: (data) => each(data, element.decode),
    toJson: (values, dialect) => values.map((value) => element.toJson(value, dialect)),
    fromJson: (json, dialect) => each(json, (value) => element.fromJson(value, dialect)),
    compare: (a, b) => compareEach(a, b, element.compare),
  };
}

export function damlMap<K, V>(key: DamlType<K>, value: DamlType<V>): DamlType<DamlMap<K, V>> {
  const sorted = (pairs: (readonly [K, V])[]): DamlMap<K, V> => {
    pairs.sort((a, b) => key.compare(a[0], b[0]));
    const repeated = pairs.findIndex(
      (pair, i) => i > 0 && key.compare(pair[0], (pairs[i - 1] as readonly [K, V])[0]) === 0,
    );
    if (repeated >= 0) throw new DecodeError("Map with a key given twice");
    return pairs;
  };
  const pair = <T>(data: unknown, read: (k: unknown, v: unknown) => T): T =>
    Array.isArray(data) && data.length === 2 ? read(data[0], data[1]) : refuse("a [key, value] pair", data);
  return {
    label: "map",
    isOptional: false,
    encode: (pairs) => `[${pairs.map(([k, v]) => `[${key.encode(k)},${value.encode(v)}]`).join(",")}]`,
    decode: (data) =>
      sorted([...each(data, (item) => pair(item, (k, v) => [key.decode(k), value.decode(v)] as const))]),
    toJson: (pairs, dialect) => pairs.map(([k, v]) => [key.toJson(k, dialect), value.toJson(v, dialect)]),
    fromJson: (json, dialect) =>
      sorted([
        ...each(json, (item) =>
          pair(item, (k, v) => [key.fromJson(k, dialect), value.fromJson(v, dialect)] as const),
        ),
      ]),
    compare: (a, b) => compareEach(a, b, (x, y) => key.compare(x[0], y[0]) || value.compare(x[1], y[1])),
  };
}

/** A map with text keys is the same value; only its JSON form is an object instead of pairs. */
export function textMap<V>(value: DamlType<V>): DamlType<DamlMap<string, V>> {
  const pairs = damlMap(text, value);
  return {
    ...pairs,
    label: "text map",
    toJson: (entries, dialect) => {
      // No prototype, so that a key such as __proto__ is a key like any other.
      const json: Record<string, JsonValue> = Object.create(null);
      for (const [k, v] of entries) json[k] = value.toJson(v, dialect);
      return json;
    },
    fromJson: (json, dialect) => {
      if (!isJsonObject(json)) return refuse("an object", json);
      const entries = Object.entries(json).map(([k, v]): readonly [string, V] => {
        try {
          return [text.fromJson(k, dialect), value.fromJson(v, dialect)];
        } catch (error) {
          throw inside(k, error);
        }
      });
      return entries.sort((a, b) => text.compare(a[0], b[0]));
    },
  };
}

/** Daml's Set is a record around a map to unit. */
export function damlSet<K>(key: DamlType<K>): RecordType<{ readonly map: DamlType<DamlMap<K, Unit>> }> {
  return record({ map: damlMap(key, unit) });
}

/** The value under a key, compared by the key's own canonical order. */
export function findInMap<K, V>(keyType: DamlType<K>, map: DamlMap<K, V>, key: K): V | undefined {
  return map.find(([k]) => keyType.compare(k, key) === 0)?.[1];
}

function each<T>(json: unknown, read: (item: unknown) => T): readonly T[] {
  if (!Array.isArray(json)) return refuse("an array", json);
  return json.map((item, index) => {
    try {
      return read(item);
    } catch (error) {
      throw inside(index, error);
    }
  });
}

function compareEach<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compare(a[i] as T, b[i] as T);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
