/**
 * Callsign.Names: what Splice's packages leave open. A subscriber can switch automatic renewal off and on, and
 * the DSO's SVs can free what would otherwise be stuck: a renewal that can no longer be collected and, after
 * notice to its user, a request that nobody answers.
 */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, party, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { callsignNamesPackage } from "../../packages.ts";
import { AmuletCreateSummary } from "../../splice-amulet/declarations/amulet.ts";
import { AppTransferContext } from "../../splice-amulet/declarations/transfer.ts";

const place = { package: callsignNamesPackage, module: "Callsign.Names" } as const;

/** The subscriber's word on automatic renewal of one subscription. Without one, it is on. */
export const RenewalPreference = declareTemplate({
  ...place,
  entity: "RenewalPreference",
  fields: { subscriber: party, walletProvider: party, reference: contractId, autoRenew: bool },
  choices: {
    RenewalPreference_Set: consuming({ autoRenew: bool }, record({ preference: contractId })),
    /** The subscription is gone; its preference may go. */
    RenewalPreference_Remove: consuming({}, record({})),
  },
});
export type RenewalPreference = ValueOf<(typeof RenewalPreference)["record"]>;

/** Signed by the DSO; any SV may use it, as the contract checks against DsoRules. */
export const NameCare = declareTemplate({
  ...place,
  entity: "NameCare",
  fields: { dso: party },
  choices: {
    NameCare_ReturnRenewalPayment: nonConsuming(
      { sv: party, dsoRulesCid: contractId, paymentCid: contractId, transferContext: AppTransferContext },
      record({ subscriptionState: contractId, amuletSum: AmuletCreateSummary }),
    ),
    /** Gives notice that a request which nobody answered is going to be withdrawn. */
    NameCare_AnnounceWithdrawal: nonConsuming(
      { sv: party, dsoRulesCid: contractId, requestCid: contractId },
      record({ withdrawal: contractId }),
    ),
    /** The context is missing when its user has ended it already. */
    NameCare_WithdrawRequest: nonConsuming(
      {
        sv: party,
        dsoRulesCid: contractId,
        withdrawalCid: contractId,
        ansEntryContextCid: optional(contractId),
      },
      record({}),
    ),
    /** The request was answered; its announcement may go. */
    NameCare_DiscardWithdrawal: nonConsuming(
      { sv: party, dsoRulesCid: contractId, withdrawalCid: contractId },
      record({}),
    ),
  },
});
export type NameCare = ValueOf<(typeof NameCare)["record"]>;

/** The DSO's notice to a user: unless the request is answered, it may be withdrawn from this time on. */
export const RequestWithdrawal = declareTemplate({
  ...place,
  entity: "RequestWithdrawal",
  fields: { dso: party, user: party, reference: contractId, withdrawableAt: time },
});
export type RequestWithdrawal = ValueOf<(typeof RequestWithdrawal)["record"]>;
