/** The coin's name in the token standard: the DSO administers it. */
import type { PartyId } from "../../../values/party-id.ts";
import { showParty, showRecord, showText } from "../../checks/show-value.ts";
import type { InstrumentId } from "../../splice-api-token-v1/holding.ts";

export function amuletInstrument(dso: PartyId): InstrumentId {
  return { admin: dso, id: "Amulet" };
}

export function isAmuletOf(dso: PartyId, { admin, id }: InstrumentId): boolean {
  return admin === dso && id === "Amulet";
}

export function showInstrument({ admin, id }: InstrumentId): string {
  return showRecord("InstrumentId", { admin: showParty(admin), id: showText(id) });
}
