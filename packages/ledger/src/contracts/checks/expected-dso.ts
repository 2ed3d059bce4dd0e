/** Callers name the DSO they expect, so that a submission cannot be made to use another DSO's rules. */

import { showParty } from "../../daml/show.ts";
import { abort } from "../../engine/failure.ts";
import type { PartyId } from "../../values/party-id.ts";

export function requireExpectedDso(dso: PartyId, expectedDso: PartyId | null): void {
  if (expectedDso === dso) return;
  abort(
    expectedDso === null
      ? "Expected DSO party not set by caller. Please change your code to set it as a prudent security measure."
      : `DSO party expected by caller ${showParty(expectedDso)} does not match actual DSO party ${showParty(dso)}`,
  );
}
