/** External parties, whose keys are kept elsewhere, are not offered. */
import { notOffered } from "../requests/not-offered.ts";
import type { LedgerHandlers } from "./route-parts.ts";

export function externalPartyRoutes() {
  const refuse = () => {
    throw notOffered(
      "parties with keys of their own",
      "allocate a party that the participant keeps, with POST /v2/parties",
    );
  };
  return {
    allocateExternalParty: refuse,
    generateExternalPartyTopology: refuse,
  } satisfies Partial<LedgerHandlers>;
}
