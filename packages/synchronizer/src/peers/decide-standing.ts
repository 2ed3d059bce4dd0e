/**
 * Where an SV stands among the others when digests at one entry differ. At most f of n SVs are faulty, and a damaged replica
 * counts among them: a digest that more than f SVs hold is right, if no other one has as many holders.
 */
import { toleratedFaults } from "@callsign/ledger";

export type Standing =
  /** More than f SVs, this one included, hold its digest: the odd ones are wrong. */
  | { readonly kind: "majority"; readonly odd: readonly string[] }
  /** More than f SVs hold the same other digest: this one is wrong. */
  | { readonly kind: "minority"; readonly digest: string; readonly holders: readonly string[] }
  /** Too few SVs have answered, or as many hold the one as the other. */
  | { readonly kind: "undecided"; readonly odd: readonly string[] };

export interface Digests {
  /** The number of the network's SVs. */
  readonly svs: number;
  readonly own: string;
  /** By SV, as far as they answered; without this one. */
  readonly others: ReadonlyMap<string, string>;
}

export function decideStanding({ svs, own, others }: Digests): Standing {
  const faulty = toleratedFaults(svs);
  const holdersOf = Map.groupBy(others.keys(), (id) => others.get(id) ?? "");
  const count = 1 + (holdersOf.get(own)?.length ?? 0);
  holdersOf.delete(own);
  const [largest] = [...holdersOf].sort(([, a], [, b]) => b.length - a.length);
  const odd = [...holdersOf.values()].flat();
  if (largest === undefined) return { kind: "majority", odd };
  const [digest, holders] = largest;
  if (holders.length > faulty && holders.length > count) return { kind: "minority", digest, holders };
  return { kind: count > faulty && count > holders.length ? "majority" : "undecided", odd };
}
