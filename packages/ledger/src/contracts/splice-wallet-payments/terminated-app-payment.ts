/** TerminatedAppPayment: the tombstone of a payment or its request, archived by the app that asked for it. */
import { implement } from "../../engine/template.ts";
import { TerminatedAppPayment } from "./declarations/app-payments.ts";

export const terminatedAppPayment = implement(TerminatedAppPayment, {
  signatories: ({ sender, provider, receivers }) => [sender, provider, ...receivers],
});
