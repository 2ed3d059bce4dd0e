/**
 * TakeUpRequest: the holder of a live entry wants a new subscription for it, whose first payment is due when the entry
 * ends. Nothing is paid before (decision 0054).
 *
 * Accepting the request makes the entry end one microsecond later. A renewal must be due at the very end of its entry, so
 * no earlier subscription can renew the entry any more: the end of an entry only grows.
 */
import { equalValues } from "../../daml/daml-type.ts";
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { MICROSECOND } from "../../values/duration.ts";
import { fetchChecked } from "../checks/checked-fetch.ts";
import { forDso } from "../checks/contract-group.ts";
import { AnsEntry, AnsEntryContext, AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import { entrySubscription, entryTerms } from "../splice-amulet-name-service/entry-terms.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayData,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { TakeUpRequest } from "./declarations/take-up.ts";

const dsoAlone = ({ dso }: TakeUpRequest) => [dso];

export const takeUpRequest = implement(TakeUpRequest, {
  signatories: ({ user }) => [user],
  observers: dsoAlone,
  choices: {
    TakeUpRequest_Accept: {
      controllers: dsoAlone,
      exercise: ({ update, contract: request, argument: { ansRulesCid }, self: reference }) => {
        const { dso, user, payData } = request;
        const rules = fetchChecked(update, AnsRules, ansRulesCid, forDso(dso));
        const isUpToDate = equalValues(SubscriptionPayData, payData, entryTerms(rules));
        requireThat("Terms are those of the rules", isUpToDate);
        const { name, url, description, expiresAt, ...parties } = fetchChecked(
          update,
          AnsEntry,
          request.entry,
          forDso(dso),
        );
        requireThat("User holds the entry", parties.user === user);
        requireThat("Name matches", name === request.name);
        requireThat("Current entry is not expired", update.now < expiresAt);
        const extension = { microseconds: MICROSECOND };
        const { entryCid } = update.exercise(AnsEntry, request.entry, "AnsEntry_Renew", { extension });
        const { expiresAt: nextPaymentDueAt } = update.fetch(AnsEntry, entryCid);
        const subscriptionData = entrySubscription(rules, { user, name });
        update.create(AnsEntryContext, { dso, user, name, url, description, reference });
        const subscription = update.create(Subscription, { subscriptionData, reference });
        const state = { subscription, subscriptionData, payData, nextPaymentDueAt, reference };
        return { entryCid, subscriptionStateCid: update.create(SubscriptionIdleState, state) };
      },
    },
    TakeUpRequest_Discard: { controllers: dsoAlone, exercise: () => ({}) },
    TakeUpRequest_Withdraw: { controllers: ({ user }) => [user], exercise: () => ({}) },
  },
});
