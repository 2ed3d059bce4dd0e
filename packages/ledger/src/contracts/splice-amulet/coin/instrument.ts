/** The coin's name in the token standard: the DSO administers it. */
import type { PartyId } from "../../../values/party-id.ts";
import type { InstrumentId } from "../../splice-api-token-v1/holding.ts";

export function amuletInstrument(dso: PartyId): InstrumentId {
  return { admin: dso, id: "Amulet" };
}

export function isAmuletOf(dso: PartyId, { admin, id }: InstrumentId): boolean {
  return admin === dso && id === "Amulet";
}
