/** Maps with parties or texts as keys, in the order of the ledger: insert (or replace) and delete. */
import type { DamlMap } from "../../daml/collections.ts";
import { compareText } from "../../values/text.ts";

export function withKey<K extends string, V>(map: DamlMap<K, V>, key: K, value: V): DamlMap<K, V> {
  return [...withoutKey(map, key), [key, value] as const].sort(([a], [b]) => compareText(a, b));
}

export function withoutKey<K extends string, V>(map: DamlMap<K, V>, key: K): DamlMap<K, V> {
  return map.filter(([known]) => known !== key);
}
