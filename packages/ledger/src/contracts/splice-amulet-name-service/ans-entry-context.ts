/**
 * AnsEntryContext: ties what a user asked for to its subscription, from the request to the subscription's end.
 * The user signs it, so that the DSO can collect payments for the entry without asking the user again.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { TerminatedSubscription } from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntryContext, AnsRules } from "./declarations/ans.ts";

const dsoAlone = ({ dso }: AnsEntryContext) => [dso];

export const ansEntryContext = implement(AnsEntryContext, {
  signatories: (context) => [context.dso, context.user],
  choices: {
    AnsEntryContext_Terminate: {
      controllers: (_context, { actor }) => [actor],
      exercise: ({ update, contract: context, argument: { actor, terminatedSubscriptionCid } }) => {
        requireThat("Actor is signatory", actor === context.dso || actor === context.user);
        const terminated = update.fetch(TerminatedSubscription, terminatedSubscriptionCid);
        update.archive(TerminatedSubscription, terminatedSubscriptionCid);
        requireThat("Reference matches", terminated.reference === context.reference);
        return {};
      },
    },
    AnsEntryContext_CollectInitialEntryPayment: {
      controllers: dsoAlone,
      exercise: ({ update, contract: { user }, argument, self: entryContext }) => {
        const { paymentCid, transferContext, ansRulesCid } = argument;
        const collection = { user, entryContext, paymentCid, transferContext };
        return update.exercise(AnsRules, ansRulesCid, "AnsRules_CollectInitialEntryPayment", collection);
      },
    },
    AnsEntryContext_CollectEntryRenewalPayment: {
      controllers: dsoAlone,
      exercise: ({ update, contract: { user }, argument, self: entryContext }) => {
        const { paymentCid, entryCid, transferContext, ansRulesCid } = argument;
        const collection = { user, entryContext, paymentCid, entryCid, transferContext };
        return update.exercise(AnsRules, ansRulesCid, "AnsRules_CollectEntryRenewalPayment", collection);
      },
    },
    AnsEntryContext_RejectEntryInitialPayment: {
      controllers: dsoAlone,
      exercise: ({ update, argument: { paymentCid, transferContext, ansRulesCid } }) => {
        const rejection = { paymentCid, transferContext };
        return update.exercise(AnsRules, ansRulesCid, "AnsRules_RejectEntryInitialPayment", rejection);
      },
    },
  },
});
