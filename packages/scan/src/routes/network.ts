/** The network: its DSO and its SVs. */
import type { ScanIndex } from "../rows/scan-index.ts";
import { type AnsweringSv, DsoText, refuseUnfounded } from "./dso-text.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function networkRoutes(index: () => ScanIndex, sv: AnsweringSv) {
  const dso = new DsoText(index, sv);
  return {
    getDsoInfo: () => dso.answer(),
    getDsoPartyId: () => ({ dso_party_id: (index().network ?? refuseUnfounded()).dso }),
  } satisfies ScanHandlers;
}
