/** Callers name the DSO they mean, so that nobody can slip rules of another DSO under their submission. */
import { abort } from "../../engine/failure.ts";
import type { PartyId } from "../../values/party-id.ts";

export function requireExpectedDso(dso: PartyId, expectedDso: PartyId | null): void {
  if (expectedDso === dso) return;
  abort(
    expectedDso === null
      ? "The expected DSO party is not set; set expectedDso to the DSO you trust"
      : `The expected DSO party ${expectedDso} is not the DSO of these rules, ${dso}`,
  );
}
