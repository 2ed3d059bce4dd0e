/** Pays transfers whose receiver accepted the offer. */
import { AcceptedTransferOffer } from "@callsign/ledger";
import type { ValidatorAutomation } from "./automation-names.ts";
import { type CompletionParts, completeRequest } from "./complete-request.ts";

export function completeTransferOffers(parts: CompletionParts): ValidatorAutomation {
  return {
    name: "complete-transfer-offers",
    ...completeRequest(parts, AcceptedTransferOffer, (value) => ({
      tag: "CO_CompleteAcceptedTransfer",
      value,
    })),
  };
}
