/** Pays transfers whose receiver accepted the offer. */
import { AcceptedTransferOffer } from "@callsign/ledger";
import { completeRequest } from "./complete-request.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function completeTransferOffers(parts: AutomationParts): ValidatorAutomation {
  return completeRequest("complete-transfer-offers", parts, AcceptedTransferOffer, (value) => ({
    tag: "CO_CompleteAcceptedTransfer",
    value,
  }));
}
