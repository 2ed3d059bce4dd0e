/** Subscription: the fixed point of a running subscription, the same from its first payment to its end. */
import { implement } from "../../engine/template.ts";
import { Subscription } from "./declarations/subscriptions.ts";
import { terminate } from "./subscription-checks.ts";
import { subscriptionSignatories } from "./subscription-parties.ts";

export const subscription = implement(Subscription, {
  signatories: subscriptionSignatories,
  choices: {
    Subscription_Archive: {
      controllers: subscriptionSignatories,
      exercise: ({ update, contract }) => terminate(update, contract.subscriptionData, contract.reference),
    },
  },
});
