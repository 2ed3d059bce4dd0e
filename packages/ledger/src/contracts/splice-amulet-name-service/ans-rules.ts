/**
 * AnsRules: how a name is asked for, paid and renewed. The ledger says nothing about what a name may look like
 * or that it is free: the SVs decide on that before they collect a payment. What it guarantees is that an entry
 * is created or renewed only against a collected payment of its own subscription, whose coin is burned.
 */

import type { ArgumentOf, ResultOf } from "../../engine/declaration.ts";
import { requireThat } from "../../engine/failure.ts";
import { type ChoiceCall, implement } from "../../engine/template.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntry, AnsEntryContext, AnsRules } from "./declarations/ans.ts";
import { burn, fetchEntryContext, requirePaymentFrom } from "./entry-checks.ts";
import { entrySubscription, entryTerms } from "./entry-terms.ts";

type Choices = (typeof AnsRules)["choices"];
type Call<C extends keyof Choices> = ChoiceCall<AnsRules, ArgumentOf<Choices[C]>>;
type Result<C extends keyof Choices> = ResultOf<Choices[C]>;

export const ansRules = implement(AnsRules, {
  signatories: (rules) => [rules.dso],
  ensure: ({ config: { renewalDuration, entryLifetime, entryFee } }) =>
    renewalDuration.microseconds > 0n && entryLifetime.microseconds > 0n && entryFee > 0n,
  choices: {
    AnsRules_RequestEntry: {
      controllers: (_rules, { user }) => [user],
      exercise: requestEntry,
    },
    AnsRules_CollectInitialEntryPayment: {
      controllers: ({ dso }, { user }) => [dso, user],
      exercise: collectInitialPayment,
    },
    AnsRules_CollectEntryRenewalPayment: {
      controllers: ({ dso }, { user }) => [dso, user],
      exercise: collectRenewalPayment,
    },
    AnsRules_RejectEntryInitialPayment: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, argument: { paymentCid, transferContext } }) =>
        update.exercise(SubscriptionInitialPayment, paymentCid, "SubscriptionInitialPayment_Reject", {
          transferContext,
        }),
    },
  },
});

/** Nothing is checked here, and nothing is reserved: several users may ask for the same name. */
function requestEntry(call: Call<"AnsRules_RequestEntry">): Result<"AnsRules_RequestEntry"> {
  const { update, contract, argument } = call;
  const { dso } = contract;
  const { name, url, description, user } = argument;
  const requestCid = update.create(SubscriptionRequest, {
    subscriptionData: entrySubscription(contract, { user, name }),
    payData: entryTerms(contract),
  });
  const context = { dso, user, name, url, description, reference: requestCid };
  return { entryCid: update.create(AnsEntryContext, context), requestCid };
}

function collectInitialPayment(
  call: Call<"AnsRules_CollectInitialEntryPayment">,
): Result<"AnsRules_CollectInitialEntryPayment"> {
  const { update, contract, argument } = call;
  const { dso } = contract;
  const { user, paymentCid, transferContext } = argument;
  const payment = update.fetch(SubscriptionInitialPayment, paymentCid);
  requirePaymentFrom({ dso, user }, payment.subscriptionData);
  const { reference } = payment;
  const context = fetchEntryContext(update, argument.entryContext, { dso, user, reference });
  const { amulet, subscriptionState } = update.exercise(
    SubscriptionInitialPayment,
    paymentCid,
    "SubscriptionInitialPayment_Collect",
    { transferContext },
  );
  burn(update, dso, amulet);
  const { name, url, description } = context;
  const { nextPaymentDueAt: expiresAt } = update.fetch(SubscriptionIdleState, subscriptionState);
  const entryCid = update.create(AnsEntry, { user, dso, name, url, description, expiresAt });
  return { entryCid, subscriptionStateCid: subscriptionState };
}

/** The extension is the interval of the payment itself, whatever the rules say meanwhile. */
function collectRenewalPayment(
  call: Call<"AnsRules_CollectEntryRenewalPayment">,
): Result<"AnsRules_CollectEntryRenewalPayment"> {
  const { update, contract, argument } = call;
  const { dso } = contract;
  const { user, paymentCid, transferContext } = argument;
  const payment = update.fetch(SubscriptionPayment, paymentCid);
  requirePaymentFrom({ dso, user }, payment.subscriptionData);
  const { reference } = update.fetch(Subscription, payment.subscription);
  const context = fetchEntryContext(update, argument.entryContext, { dso, user, reference });
  const entry = update.fetch(AnsEntry, argument.entryCid);
  requireThat("Current entry matches subscription context", isEntryOf(context, entry));
  requireThat("Subscription entry renewal times are in sync", payment.thisPaymentDueAt === entry.expiresAt);
  requireThat("Current entry is not expired", update.now < entry.expiresAt);
  const { amulet, subscriptionState } = update.exercise(
    SubscriptionPayment,
    paymentCid,
    "SubscriptionPayment_Collect",
    { transferContext },
  );
  burn(update, dso, amulet);
  const extension = payment.payData.paymentInterval;
  const { entryCid } = update.exercise(AnsEntry, argument.entryCid, "AnsEntry_Renew", { extension });
  return { entryCid, subscriptionStateCid: subscriptionState };
}

function isEntryOf(context: AnsEntryContext, entry: AnsEntry): boolean {
  return (
    entry.user === context.user &&
    entry.name === context.name &&
    entry.url === context.url &&
    entry.description === context.description
  );
}
