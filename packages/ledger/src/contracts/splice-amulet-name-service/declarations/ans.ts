/** Splice.Ans: the rules of the name service, the record of a name, and what ties it to its subscription. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { nameServicePackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { AmuletCreateSummary } from "../../splice-amulet/declarations/amulet.ts";
import { AppTransferContext } from "../../splice-amulet/declarations/transfer.ts";

const place = { package: nameServicePackage, module: "Splice.Ans" } as const;

export const AnsRulesConfig = record("AnsRulesConfig", {
  renewalDuration: RelTime,
  entryLifetime: RelTime,
  /** In dollars. */
  entryFee: numeric,
  descriptionPrefix: text,
});
export type AnsRulesConfig = ValueOf<typeof AnsRulesConfig>;

const Collected = record({ entryCid: contractId, subscriptionStateCid: contractId });
const Rejected = record({ amuletSum: AmuletCreateSummary });

export const AnsRules = declareTemplate({
  ...place,
  entity: "AnsRules",
  fields: { dso: party, config: AnsRulesConfig },
  choices: {
    AnsRules_RequestEntry: nonConsuming(
      { name: text, url: text, description: text, user: party },
      record({ entryCid: contractId, requestCid: contractId }),
    ),
    AnsRules_CollectInitialEntryPayment: nonConsuming(
      { user: party, entryContext: contractId, paymentCid: contractId, transferContext: AppTransferContext },
      Collected,
    ),
    AnsRules_CollectEntryRenewalPayment: nonConsuming(
      {
        user: party,
        entryContext: contractId,
        paymentCid: contractId,
        entryCid: contractId,
        transferContext: AppTransferContext,
      },
      Collected,
    ),
    AnsRules_RejectEntryInitialPayment: nonConsuming(
      { paymentCid: contractId, transferContext: AppTransferContext },
      Rejected,
    ),
  },
});
export type AnsRules = ValueOf<(typeof AnsRules)["record"]>;

export const AnsEntryContext = declareTemplate({
  ...place,
  entity: "AnsEntryContext",
  fields: { dso: party, user: party, name: text, url: text, description: text, reference: contractId },
  choices: {
    AnsEntryContext_Terminate: consuming({ actor: party, terminatedSubscriptionCid: contractId }, record({})),
    AnsEntryContext_CollectInitialEntryPayment: nonConsuming(
      { paymentCid: contractId, transferContext: AppTransferContext, ansRulesCid: contractId },
      Collected,
    ),
    AnsEntryContext_CollectEntryRenewalPayment: nonConsuming(
      {
        paymentCid: contractId,
        entryCid: contractId,
        transferContext: AppTransferContext,
        ansRulesCid: contractId,
      },
      Collected,
    ),
    AnsEntryContext_RejectEntryInitialPayment: nonConsuming(
      { paymentCid: contractId, transferContext: AppTransferContext, ansRulesCid: contractId },
      Rejected,
    ),
  },
});
export type AnsEntryContext = ValueOf<(typeof AnsEntryContext)["record"]>;

export const AnsEntry = declareTemplate({
  ...place,
  entity: "AnsEntry",
  fields: { user: party, dso: party, name: text, url: text, description: text, expiresAt: time },
  choices: {
    AnsEntry_Expire: consuming({ actor: party }, record({})),
    AnsEntry_Renew: consuming({ extension: RelTime }, record({ entryCid: contractId })),
  },
});
export type AnsEntry = ValueOf<(typeof AnsEntry)["record"]>;
