/** Splice.DsoRules: the actions that need confirmations of a quorum of SVs. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { contractId, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { AmuletRules } from "../../splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../../splice-amulet-name-service/declarations/ans.ts";

export const AmuletRulesAction = variant({
  CRARC_SetConfig: AmuletRules.choices.AmuletRules_SetConfig.argument,
});
export type AmuletRulesAction = ValueOf<typeof AmuletRulesAction>;

export const AnsEntryContextAction = variant({
  ANSRARC_CollectInitialEntryPayment:
    AnsEntryContext.choices.AnsEntryContext_CollectInitialEntryPayment.argument,
  ANSRARC_RejectEntryInitialPayment:
    AnsEntryContext.choices.AnsEntryContext_RejectEntryInitialPayment.argument,
});
export type AnsEntryContextAction = ValueOf<typeof AnsEntryContextAction>;

export const ActionRequiringConfirmation = variant({
  ARC_AmuletRules: record({ amuletRulesAction: AmuletRulesAction }),
  ARC_AnsEntryContext: record({
    ansEntryContextCid: contractId,
    ansEntryContextAction: AnsEntryContextAction,
  }),
  ExtActionRequiringConformation: record({ dummyUnitField: unit }),
});
export type ActionRequiringConfirmation = ValueOf<typeof ActionRequiringConfirmation>;
