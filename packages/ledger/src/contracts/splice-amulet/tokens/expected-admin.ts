/** Callers of a factory name the administrator they expect, so that another's factory cannot take its place. */

import { showParty } from "../../../daml/show.ts";
import { requireThat } from "../../../engine/failure.ts";
import type { PartyId } from "../../../values/party-id.ts";

export function requireExpectedAdmin(expected: PartyId, dso: PartyId): void {
  const label = `Expected admin ${showParty(expected)} matches actual admin ${showParty(dso)}`;
  requireThat(label, expected === dso);
}
