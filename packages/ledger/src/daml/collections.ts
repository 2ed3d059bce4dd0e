/**
 * Lists, text maps, maps with keys of any type, and sets. Maps are arrays of pairs in key order without
 * duplicates, which is how Daml orders them too.
 */
import { show } from "../values/parsed.ts";
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
    isRigid: element.isRigid,
    encode: (values) => encodeEach(values, element.encode),
    decode: (data) => each(data, element.decode),
    toJson: (values, dialect) => values.map((value) => element.toJson(value, dialect)),
    fromJson: (json, dialect) => each(json, (value) => element.fromJson(value, dialect)),
    show: (values) => `[${values.map((value) => element.show(value)).join(",")}]`,
    compare: (a, b) => compareEach(a, b, element.compare),
  };
}

export interface MapType<K, V> extends DamlType<DamlMap<K, V>> {
  readonly key: DamlType<K>;
  readonly value: DamlType<V>;
}

export function damlMap<K, V>(key: DamlType<K>, value: DamlType<V>): MapType<K, V> {
  const read = (
    pairs: unknown,
    readKey: (given: unknown) => K,
    readValue: (given: unknown) => V,
  ): DamlMap<K, V> => inKeyOrder(key, each(pairs, pairReader(readKey, readValue)));
  return {
    label: "map",
    isOptional: false,
    isRigid: false,
    key,
    value,
    encode: (pairs) =>
      encodeEach(inKeyOrder(key, pairs), ([k, v]) => `[${key.encode(k)},${value.encode(v)}]`),
    decode: (data) => read(data, key.decode, value.decode),
    toJson: (pairs, dialect) =>
      inKeyOrder(key, pairs).map(([k, v]) => [key.toJson(k, dialect), value.toJson(v, dialect)]),
    fromJson: (json, dialect) =>
      read(
        json,
        (k) => key.fromJson(k, dialect),
        (v) => value.fromJson(v, dialect),
      ),
    show: (pairs) =>
      `Map [${inKeyOrder(key, pairs)
        .map(([k, v]) => `(${key.show(k)},${value.show(v)})`)
        .join(",")}]`,
    compare: (a, b) => compareEach(a, b, (x, y) => key.compare(x[0], y[0]) || value.compare(x[1], y[1])),
  };
}

/** A map with text keys is the same value; only its JSON form is an object instead of pairs. */
export function textMap<V>(value: DamlType<V>): MapType<string, V> {
  const pairs = damlMap(text, value);
  return {
    ...pairs,
    label: "text map",
    show: (given) => `Text${pairs.show(given)}`,
    toJson: (given, dialect) => {
      // No prototype, so that a key such as __proto__ is a key like any other.
      const json: Record<string, JsonValue> = Object.create(null);
      for (const [k, v] of inKeyOrder(text, given)) json[k] = value.toJson(v, dialect);
      return json;
    },
    fromJson: (json, dialect) => {
      if (!isJsonObject(json)) return refuse("an object", json);
      const entries = Object.entries(json).map(([k, v]): readonly [string, V] => {
        try {
          return [text.fromJson(k, dialect), value.fromJson(v, dialect)];
        } catch (error) {
          throw inside(`[${show(k)}]`, error);
        }
      });
      return inKeyOrder(text, entries);
    },
  };
}

/** Daml's Set is a record around a map to unit. */
export function damlSet<K>(key: DamlType<K>): RecordType<{ readonly map: DamlType<DamlMap<K, Unit>> }> {
  return {
    ...record({ map: damlMap(key, unit) }),
    show: ({ map }) => `Set [${map.map(([element]) => key.show(element)).join(",")}]`,
  };
}

/**
 * The same pairs with ascending keys: a map has one text for every order of its pairs. Pairs that
 * are in order, as they usually are, are not copied. Daml's maps hold a key once, so twice is an error.
 */
function inKeyOrder<K, V>(keyType: DamlType<K>, pairs: DamlMap<K, V>): DamlMap<K, V> {
  if (findDisorder(keyType, pairs) === undefined) return pairs;
  const sorted = pairs.toSorted((a, b) => keyType.compare(a[0], b[0]));
  const repeated = findDisorder(keyType, sorted);
  if (repeated === undefined) return sorted;
  const index = pairs.findLastIndex(([key]) => keyType.compare(key, repeated[0]) === 0);
  throw new DecodeError("Key is given twice", { path: `[${index}][0]` });
}

/** The first pair whose key does not come after its predecessor's. */
function findDisorder<K, V>(keyType: DamlType<K>, pairs: DamlMap<K, V>): readonly [K, V] | undefined {
  return pairs.find((pair, i) => {
    const previous = pairs[i - 1];
    return previous !== undefined && keyType.compare(previous[0], pair[0]) >= 0;
  });
}

function pairReader<K, V>(
  readKey: (given: unknown) => K,
  readValue: (given: unknown) => V,
): (given: unknown) => readonly [K, V] {
  return (given) => {
    if (!Array.isArray(given) || given.length !== 2) return refuse("a [key, value] pair", given);
    let part = 0;
    try {
      const key = readKey(given[part]);
      part = 1;
      return [key, readValue(given[part])];
    } catch (error) {
      throw inside(part, error);
    }
  };
}

function each<T>(data: unknown, read: (item: unknown) => T): readonly T[] {
  if (!Array.isArray(data)) return refuse("an array", data);
  const items: T[] = [];
  try {
    for (const item of data) items.push(read(item));
  } catch (error) {
    throw inside(items.length, error);
  }
  return items;
}

/** Lists are short: to concatenate their texts costs less than an array that is joined. */
function encodeEach<T>(values: readonly T[], encode: (value: T) => string): string {
  let text = "[";
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ",";
    text += encode(values[i] as T);
  }
  return `${text}]`;
}

function compareEach<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compare(a[i] as T, b[i] as T);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
