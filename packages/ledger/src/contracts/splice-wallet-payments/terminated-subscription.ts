/** TerminatedSubscription: the tombstone of a subscription or request, archived by the app that offered it. */
import { implement } from "../../engine/template.ts";
import { TerminatedSubscription } from "./declarations/subscriptions.ts";
import { subscriptionSignatories } from "./subscription-parties.ts";

export const terminatedSubscription = implement(TerminatedSubscription, {
  signatories: subscriptionSignatories,
});
