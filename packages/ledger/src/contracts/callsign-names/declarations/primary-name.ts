/**
 * Callsign.Names, version 0.3.0: a party chooses which of its names it is called by. The version has only the template that is
 * new.
 */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { callsignNamesV3Package } from "../../packages.ts";

/** The name that a party wants to be called by, and the expiry that its entry had when the party chose it. */
export const PrimaryName = declareTemplate({
  ...{ package: callsignNamesV3Package, module: "Callsign.Names", entity: "PrimaryName" },
  fields: { dso: party, user: party, name: text, expiresAt: time },
  choices: {
    /** Chooses another name, or the same one with the expiry that it has since a renewal. */
    PrimaryName_Set: consuming({ name: text, expiresAt: time }, record({ primaryName: contractId })),
    PrimaryName_Remove: consuming({}, record({})),
  },
});
export type PrimaryName = ValueOf<(typeof PrimaryName)["record"]>;
