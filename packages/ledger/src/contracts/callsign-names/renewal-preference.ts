/**
 * RenewalPreference: whether the wallet renews one subscription by itself. Only the subscriber sets it, and the
 * wallet's provider, who would pay on the subscriber's behalf, sees it. Without one, renewal is automatic.
 */
import { implement } from "../../engine/template.ts";
import { RenewalPreference } from "./declarations/names.ts";

export const renewalPreference = implement(RenewalPreference, {
  signatories: ({ subscriber }) => [subscriber],
  observers: ({ walletProvider }) => [walletProvider],
  choices: {
    RenewalPreference_Set: {
      controllers: ({ subscriber }) => [subscriber],
      exercise: ({ update, contract, argument: { autoRenew } }) => ({
        preference: update.create(RenewalPreference, { ...contract, autoRenew }),
      }),
    },
    RenewalPreference_Remove: {
      controllers: ({ subscriber }) => [subscriber],
      exercise: () => ({}),
    },
  },
});
