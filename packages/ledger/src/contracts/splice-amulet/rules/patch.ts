/**
 * Changing a configuration that others may have changed meanwhile: a request carries the new value and the
 * base it was made from. A field is overwritten only where the two differ; sets and maps are compared by key.
 */
import type { DamlMap } from "../../../daml/collections.ts";
import { type AnyDamlType, type DamlType, equalValues, type ValueOf } from "../../../daml/daml-type.ts";
import type { Fields } from "../../../daml/record.ts";

export type Patch<T> = (next: T, base: T, current: T) => T;

/** The parts of records, of optionals, and of maps. */
interface Parts {
  readonly fields?: Fields;
  readonly inner?: AnyDamlType;
  readonly key?: AnyDamlType;
  readonly value?: AnyDamlType;
}

/** Records are patched by field, maps and sets by key; other values are compared as a whole, lists too. */
export function patchOf<T>(type: DamlType<T>): Patch<T> {
  const { fields, inner, key, value } = type as DamlType<T> & Parts;
  if (fields !== undefined) return patchRecord(patchFields(fields)) as Patch<unknown> as Patch<T>;
  if (inner !== undefined) return patchOptional(patchOf(inner)) as Patch<unknown> as Patch<T>;
  if (key !== undefined && value !== undefined)
    return patchMap(key, patchOf(value)) as Patch<unknown> as Patch<T>;
  return (next, base, current) => (equalValues(type, next, base) ? current : next);
}

export function patchFields<F extends Fields>(fields: F): { readonly [K in keyof F]: Patch<ValueOf<F[K]>> } {
  const patches = Object.entries(fields).map(([name, type]) => [name, patchOf(type)]);
  return Object.fromEntries(patches) as { readonly [K in keyof F]: Patch<ValueOf<F[K]>> };
}

export function patchRecord<T extends object>(fields: { readonly [K in keyof T]-?: Patch<T[K]> }): Patch<T> {
  const names = Object.keys(fields) as (keyof T)[];
  return (next, base, current) => {
    const patched: Partial<T> = {};
    for (const name of names) patched[name] = fields[name](next[name], base[name], current[name]);
    return patched as T;
  };
}

/** A value that was removed meanwhile stays removed, unless the request adds it. */
function patchOptional<T>(inner: Patch<T>): Patch<T | null> {
  return (next, base, current) => {
    if (next === null) return base === null ? current : null;
    if (base === null) return next;
    return current === null ? null : inner(next, base, current);
  };
}

export function patchMap<K, V>(key: DamlType<K>, inner: Patch<V>): Patch<DamlMap<K, V>> {
  return (next, base, current) => {
    const [nextByKey, baseByKey, patched] = [byKey(key, next), byKey(key, base), byKey(key, current)];
    for (const name of baseByKey.keys()) if (!nextByKey.has(name)) patched.delete(name);
    for (const [name, [k, value]] of nextByKey) {
      const from = baseByKey.get(name);
      const now = patched.get(name);
      if (from === undefined) patched.set(name, [k, value]);
      else if (now !== undefined) patched.set(name, [k, inner(value, from[1], now[1])]);
    }
    return [...patched.values()].sort(([a], [b]) => key.compare(a, b));
  };
}

function byKey<K, V>(key: DamlType<K>, map: DamlMap<K, V>): Map<string, readonly [K, V]> {
  return new Map(map.map((pair) => [key.encode(pair[0]), pair]));
}
