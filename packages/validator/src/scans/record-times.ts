import type { Time } from "@callsign/ledger";
import type { Quorum } from "./agreement.ts";

/**
 * A time that the network has certainly reached. Of many scans, the latest that f+1 of them stand at or behind; of
 * few, which have to agree anyway, the earliest.
 */
export function decideRecordTime({ needed, unanimous }: Quorum, heard: readonly Time[]): Time | undefined {
  const latestFirst = [...heard].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return unanimous ? latestFirst.at(-1) : latestFirst[needed - 1];
}
