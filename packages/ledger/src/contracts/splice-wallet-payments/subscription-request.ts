/** SubscriptionRequest: an offer to subscribe. It never lapses: it is accepted, rejected or withdrawn. */
import { implement } from "../../engine/template.ts";
import { SubscriptionInitialPayment, SubscriptionRequest } from "./declarations/subscriptions.ts";
import { lockPayment } from "./lock-payment.ts";
import { terminate } from "./subscription-checks.ts";
import {
  hasValidPayData,
  senderAndWallet,
  subscriptionReceiver,
  subscriptionSender,
  subscriptionSignatories,
} from "./subscription-parties.ts";

export const subscriptionRequest = implement(SubscriptionRequest, {
  signatories: subscriptionSignatories,
  ensure: hasValidPayData,
  choices: {
    SubscriptionRequest_AcceptAndMakePayment: {
      controllers: senderAndWallet,
      exercise: ({ update, contract: request, argument, self }) => {
        const { targetAmount, lockedAmulet, round, senderChange } = lockPayment(update, request, argument);
        const { subscriptionData, payData } = request;
        const subscriptionPayment = update.create(SubscriptionInitialPayment, {
          subscriptionData,
          payData,
          targetAmount,
          lockedAmulet,
          round,
          reference: self,
        });
        return { subscriptionPayment, senderChange };
      },
    },
    SubscriptionRequest_Withdraw: {
      controllers: subscriptionReceiver,
      exercise: ({ update, contract, self }) => terminate(update, contract.subscriptionData, self),
    },
    SubscriptionRequest_Reject: {
      controllers: subscriptionSender,
      exercise: ({ update, contract, self }) => terminate(update, contract.subscriptionData, self),
    },
  },
});
