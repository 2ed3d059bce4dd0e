/**
 * SubscriptionPayment: the payment for the next interval, locked and waiting to be collected. Collecting it, in
 * the round it was locked in, moves the due date by one interval from the previous due date, so that due dates
 * never drift; rejecting or expiring it leaves the due date where it was.
 */
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { addDuration, type Time } from "../../values/time.ts";
import { SubscriptionIdleState, SubscriptionPayment } from "./declarations/subscriptions.ts";
import { collectForReceiver, refundToSender, requireRoundOfSubscription } from "./settle-subscription.ts";
import { requireMatchingSubscription, requireSignatory } from "./subscription-checks.ts";
import { hasValidPayData, subscriptionReceiver, subscriptionSignatories } from "./subscription-parties.ts";

export const subscriptionPayment = implement(SubscriptionPayment, {
  signatories: subscriptionSignatories,
  ensure: hasValidPayData,
  choices: {
    SubscriptionPayment_Collect: {
      controllers: subscriptionSignatories,
      exercise: ({ update, contract: payment, argument: { transferContext } }) => {
        const { payData, thisPaymentDueAt } = payment;
        requireRoundOfSubscription(update, "payment", payment, transferContext);
        requireMatchingSubscription(update, payment);
        const nextPaymentDueAt = addDuration(thisPaymentDueAt, payData.paymentInterval.microseconds);
        const subscriptionState = becomeIdle(update, payment, nextPaymentDueAt);
        return { subscriptionState, amulet: collectForReceiver(update, payment, transferContext) };
      },
    },
    SubscriptionPayment_Reject: {
      controllers: subscriptionReceiver,
      exercise: ({ update, contract: payment, argument: { transferContext } }) => {
        requireMatchingSubscription(update, payment);
        const subscriptionState = becomeIdle(update, payment, payment.thisPaymentDueAt);
        const amuletSum = refundToSender(update, payment, "LockedAmulet_UnlockV2", transferContext);
        return { subscriptionState, amuletSum };
      },
    },
    SubscriptionPayment_Expire: {
      controllers: (_payment, { actor }) => [actor],
      exercise: ({ update, contract: payment, argument: { actor, transferContext } }) => {
        requireSignatory(payment.subscriptionData, actor);
        requireMatchingSubscription(update, payment);
        const subscriptionState = becomeIdle(update, payment, payment.thisPaymentDueAt);
        const amuletSum = refundToSender(update, payment, "LockedAmulet_OwnerExpireLockV2", transferContext);
        return { subscriptionState, amuletSum };
      },
    },
  },
});

function becomeIdle(update: Update, payment: SubscriptionPayment, nextPaymentDueAt: Time): ContractId {
  const { subscription, subscriptionData, payData, reference } = payment;
  return update.create(SubscriptionIdleState, {
    subscription,
    subscriptionData,
    payData,
    nextPaymentDueAt,
    reference,
  });
}
