/** The SV that answers about the network name at a scan that has none of its own: the network's first. */
import { DsoRules, type PartyId } from "@callsign/ledger";
import type { ScanIndex } from "@callsign/scan";

export function firstSvOf({ contracts }: Pick<ScanIndex, "contracts">) {
  const first = () => contracts.find(DsoRules)?.payload.svs[0];
  return {
    get user(): string {
      return first()?.[1].name ?? "";
    },
    get party(): PartyId {
      return first()?.[0] as PartyId;
    },
  };
}
