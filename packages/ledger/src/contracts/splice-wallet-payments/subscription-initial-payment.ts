/**
 * SubscriptionInitialPayment: an accepted request whose first payment is locked. Collecting it, in the round
 * it was locked in, starts the subscription; the first interval runs from the ledger time of the collection.
 */
import { implement } from "../../engine/template.ts";
import { addDuration } from "../../values/time.ts";
import {
  Subscription,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
} from "./declarations/subscriptions.ts";
import { collectForReceiver, refundToSender, requireRoundOfSubscription } from "./settle-subscription.ts";
import { requireSignatory, terminate } from "./subscription-checks.ts";
import { hasValidPayData, subscriptionReceiver, subscriptionSignatories } from "./subscription-parties.ts";

export const subscriptionInitialPayment = implement(SubscriptionInitialPayment, {
  signatories: subscriptionSignatories,
  ensure: hasValidPayData,
  choices: {
    SubscriptionInitialPayment_Collect: {
      controllers: subscriptionSignatories,
      exercise: ({ update, contract: payment, argument: { transferContext } }) => {
        const { subscriptionData, payData, reference } = payment;
        requireRoundOfSubscription(update, "request", payment, transferContext);
        const subscription = update.create(Subscription, { subscriptionData, reference });
        const subscriptionState = update.create(SubscriptionIdleState, {
          subscription,
          subscriptionData,
          payData,
          nextPaymentDueAt: addDuration(update.now, payData.paymentInterval.microseconds),
          reference,
        });
        const amulet = collectForReceiver(update, payment, transferContext);
        return { subscription, subscriptionState, amulet };
      },
    },
    SubscriptionInitialPayment_Reject: {
      controllers: subscriptionReceiver,
      exercise: ({ update, contract: payment, argument: { transferContext } }) => {
        terminate(update, payment.subscriptionData, payment.reference);
        return { amuletSum: refundToSender(update, payment, "LockedAmulet_UnlockV2", transferContext) };
      },
    },
    SubscriptionInitialPayment_Expire: {
      controllers: (_payment, { actor }) => [actor],
      exercise: ({ update, contract: payment, argument: { actor, transferContext } }) => {
        requireSignatory(payment.subscriptionData, actor);
        terminate(update, payment.subscriptionData, payment.reference);
        return {
          amuletSum: refundToSender(update, payment, "LockedAmulet_OwnerExpireLockV2", transferContext),
        };
      },
    },
  },
});
