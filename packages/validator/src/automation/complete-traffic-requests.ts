/** Buys the traffic that users requested. */
import { BuyTrafficRequest } from "@callsign/ledger";
import type { ValidatorAutomation } from "./automation-names.ts";
import { type CompletionParts, completeRequest } from "./complete-request.ts";

export function completeTrafficRequests(parts: CompletionParts): ValidatorAutomation {
  return {
    name: "complete-traffic-requests",
    ...completeRequest(parts, BuyTrafficRequest, (trafficRequestCid) => ({
      tag: "CO_CompleteBuyTrafficRequest",
      value: { trafficRequestCid },
    })),
  };
}
