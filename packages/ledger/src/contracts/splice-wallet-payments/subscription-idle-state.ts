/**
 * SubscriptionIdleState: paid up to its due date. The next payment may be made once the due date is no further
 * away than the payment window, and there is no latest moment for it: an app may grant a period of grace.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { addDuration } from "../../values/time.ts";
import { Subscription, SubscriptionIdleState, SubscriptionPayment } from "./declarations/subscriptions.ts";
import { lockPayment } from "./lock-payment.ts";
import { requireMatchingSubscription, requireSignatory } from "./subscription-checks.ts";
import {
  hasValidPayData,
  senderAndWallet,
  subscriptionSender,
  subscriptionSignatories,
} from "./subscription-parties.ts";

export const subscriptionIdleState = implement(SubscriptionIdleState, {
  signatories: subscriptionSignatories,
  ensure: hasValidPayData,
  choices: {
    SubscriptionIdleState_MakePayment: {
      controllers: senderAndWallet,
      exercise: ({ update, contract: state, argument }) => {
        requireMatchingSubscription(update, state);
        const { subscription, subscriptionData, payData, nextPaymentDueAt, reference } = state;
        const windowReachesTo = addDuration(update.now, payData.paymentDuration.microseconds);
        const isInWindow = windowReachesTo >= nextPaymentDueAt;
        requireThat("The next due date is close enough to make the next payment.", isInWindow);
        const { targetAmount, lockedAmulet, round, senderChange } = lockPayment(update, state, argument);
        const subscriptionPayment = update.create(SubscriptionPayment, {
          subscription,
          subscriptionData,
          payData,
          thisPaymentDueAt: nextPaymentDueAt,
          targetAmount,
          lockedAmulet,
          round,
          reference,
        });
        return { subscriptionPayment, senderChange };
      },
    },
    SubscriptionIdleState_ExpireSubscription: {
      controllers: (_state, { actor }) => [actor],
      exercise: ({ update, contract: state, argument: { actor } }) => {
        requireSignatory(state.subscriptionData, actor);
        requireMatchingSubscription(update, state);
        requireThat("Last subscription payment was missed", state.nextPaymentDueAt < update.now);
        return update.exercise(Subscription, state.subscription, "Subscription_Archive", {});
      },
    },
    SubscriptionIdleState_CancelSubscription: {
      controllers: subscriptionSender,
      exercise: ({ update, contract: state }) => {
        requireMatchingSubscription(update, state);
        return update.exercise(Subscription, state.subscription, "Subscription_Archive", {});
      },
    },
  },
});
