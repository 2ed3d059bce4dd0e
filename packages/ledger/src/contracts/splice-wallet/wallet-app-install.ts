/**
 * WalletAppInstall: lets a validator act for a wallet user. A batch runs its operations in order, in one
 * transaction, all or nothing; each works with the coin that the one before it left.
 */
import { implement } from "../../engine/template.ts";
import type { AmuletOperationOutcome } from "./declarations/amulet-operation.ts";
import { WalletAppInstall } from "./declarations/install.ts";
import { executeOperation } from "./execute-operation.ts";
import { installForwards } from "./install-forwards.ts";

export const walletAppInstall = implement(WalletAppInstall, {
  signatories: (install) => [install.endUserParty, install.validatorParty],
  choices: {
    WalletAppInstall_ExecuteBatch: {
      controllers: ({ validatorParty }) => [validatorParty],
      exercise: ({ update, contract: install, argument: { context, inputs: given, operations } }) => {
        const batch = { update, install, context };
        const outcomes: AmuletOperationOutcome[] = [];
        let inputs = given;
        for (const operation of operations) {
          const step = executeOperation(batch, operation, inputs);
          outcomes.push(step.outcome);
          inputs = step.inputs;
        }
        return { endUserName: install.endUserName, outcomes, optEndUserParty: install.endUserParty };
      },
    },
    ...installForwards,
  },
});
