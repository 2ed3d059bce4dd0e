/** Maps with parties as keys, in the order of the ledger: insert (or replace) and delete. */
import type { DamlMap } from "../../daml/collections.ts";
import { party } from "../../daml/scalars.ts";
import type { PartyId } from "../../values/party-id.ts";

export function withParty<V>(map: DamlMap<PartyId, V>, key: PartyId, value: V): DamlMap<PartyId, V> {
  return [...withoutParty(map, key), [key, value] as const].sort((a, b) => party.compare(a[0], b[0]));
}

export function withoutParty<V>(map: DamlMap<PartyId, V>, key: PartyId): DamlMap<PartyId, V> {
  return map.filter(([known]) => known !== key);
}
