/**
 * The choices of a single SV for the name service: renew, expire, clean up. None of it is a matter of opinion, as
 * the contracts check all of it; so it needs no quorum, unlike the first payment for a name.
 */
import type { SomeChoiceRules } from "../../engine/template.ts";
import { AnsEntry, AnsEntryContext } from "../splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../splice-wallet-payments/declarations/subscriptions.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

export const nameChoices = {
  DsoRules_CollectEntryRenewalPayment: byMember(({ update, argument: { ansEntryContextCid, choiceArg } }) => {
    const choice = "AnsEntryContext_CollectEntryRenewalPayment";
    const renewed = update.exercise(AnsEntryContext, ansEntryContextCid, choice, choiceArg);
    return { ansEntry: renewed.entryCid, subscriptionState: renewed.subscriptionStateCid };
  }),
  DsoRules_ExpireAnsEntry: byMember(({ update, argument: { ansEntryCid, choiceArg } }) => {
    update.exercise(AnsEntry, ansEntryCid, "AnsEntry_Expire", choiceArg);
    return {};
  }),
  DsoRules_ExpireSubscription: byMember(({ update, contract: { dso }, argument }) => {
    const { ansEntryContextCid, subscriptionIdleStateCid, choiceArg } = argument;
    const choice = "SubscriptionIdleState_ExpireSubscription";
    const expired = update.exercise(SubscriptionIdleState, subscriptionIdleStateCid, choice, choiceArg);
    update.exercise(AnsEntryContext, ansEntryContextCid, "AnsEntryContext_Terminate", {
      actor: dso,
      terminatedSubscriptionCid: expired.terminatedSubscription,
    });
    return {};
  }),
  DsoRules_TerminateSubscription: byMember(({ update, contract: { dso }, argument }) => {
    const { ansEntryContextCid, terminatedSubscriptionCid } = argument;
    update.exercise(AnsEntryContext, ansEntryContextCid, "AnsEntryContext_Terminate", {
      actor: dso,
      terminatedSubscriptionCid,
    });
    return {};
  }),
} satisfies SomeChoiceRules<typeof DsoRules>;
