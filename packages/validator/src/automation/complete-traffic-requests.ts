/** Buys the traffic that users requested. */
import { BuyTrafficRequest } from "@callsign/ledger";
import { completeRequest } from "./complete-request.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function completeTrafficRequests(parts: AutomationParts): ValidatorAutomation {
  return completeRequest("complete-traffic-requests", parts, BuyTrafficRequest, (trafficRequestCid) => ({
    tag: "CO_CompleteBuyTrafficRequest",
    value: { trafficRequestCid },
  }));
}
