/**
 * Callsign.Names, version 0.2.0: the holder of a cancelled name takes it up again before it expires. The version has only
 * templates that are new or have new choices.
 */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, party, text } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { callsignNamesV2Package } from "../../packages.ts";
import { SubscriptionPayData } from "../../splice-wallet-payments/declarations/subscriptions.ts";
import { NameCare } from "./names.ts";

const place = { package: callsignNamesV2Package, module: "Callsign.Names" } as const;

const TakenUp = record({ entryCid: contractId, subscriptionStateCid: contractId });

/** The holder of an entry asks the DSO for a new subscription of it, on these terms. */
export const TakeUpRequest = declareTemplate({
  ...place,
  entity: "TakeUpRequest",
  fields: { dso: party, user: party, name: text, entry: contractId, payData: SubscriptionPayData },
  choices: {
    TakeUpRequest_Accept: consuming({ ansRulesCid: contractId }, TakenUp),
    /** The request cannot be accepted any more. */
    TakeUpRequest_Discard: consuming({}, record({})),
    TakeUpRequest_Withdraw: consuming({}, record({})),
  },
});
export type TakeUpRequest = ValueOf<(typeof TakeUpRequest)["record"]>;

/** NameCare of version 0.1.0, with two more choices. */
export const NameCareV2 = declareTemplate({
  ...place,
  entity: "NameCare",
  fields: NameCare.record.fields,
  choices: {
    ...NameCare.choices,
    NameCare_TakeUp: nonConsuming(
      { sv: party, dsoRulesCid: contractId, requestCid: contractId, ansRulesCid: contractId },
      TakenUp,
    ),
    NameCare_DiscardTakeUp: nonConsuming(
      { sv: party, dsoRulesCid: contractId, requestCid: contractId },
      record({}),
    ),
  },
});
