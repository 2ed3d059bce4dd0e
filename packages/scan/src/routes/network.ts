/** The network: its DSO and its SVs. */
import type { ScanIndex } from "../rows/scan-index.ts";
import { type AnsweringSv, DsoText } from "./dso-text.ts";
import { refuseUnfounded } from "./refuse-unfounded.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function networkRoutes(index: () => ScanIndex, sv: AnsweringSv) {
  const dsoText = new DsoText(index, sv);
  return {
    getDsoInfo: () => dsoText.answer(),
    getDsoPartyId: () => ({ dso_party_id: (index().network ?? refuseUnfounded()).dso }),
  } satisfies ScanHandlers;
}
