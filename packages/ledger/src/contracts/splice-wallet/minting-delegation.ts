/**
 * MintingDelegation: a delegate mints a beneficiary's rewards, and merges its coins, until the delegation expires.
 * Everything it makes is the beneficiary's; the delegate earns no app reward by it.
 */
import { implement } from "../../engine/template.ts";
import { requireWithinDeadline } from "../checks/deadline.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { MintingDelegation } from "./declarations/minting-delegation.ts";

export const mintingDelegation = implement(MintingDelegation, {
  signatories: ({ beneficiary, delegate }) => [beneficiary, delegate],
  choices: {
    MintingDelegation_Mint: {
      controllers: ({ delegate }) => [delegate],
      exercise: ({ update, contract: delegation, argument: { inputs, context } }) => {
        const { beneficiary, delegate, dso, expiresAt } = delegation;
        requireWithinDeadline("expiresAt", update.now, expiresAt);
        const transferResult = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_Transfer", {
          transfer: { sender: beneficiary, provider: delegate, inputs, outputs: [], beneficiaries: null },
          context: { ...context.context, featuredAppRight: null },
          expectedDso: dso,
        });
        return { transferResult };
      },
    },
    MintingDelegation_Reject: { controllers: ({ delegate }) => [delegate], exercise: () => ({}) },
    MintingDelegation_Withdraw: { controllers: ({ beneficiary }) => [beneficiary], exercise: () => ({}) },
  },
});
