/** Transfers that were not accepted in time: the DSO aborts them, and coin that is still locked goes back. */
import { requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import { fetchViewChecked } from "../../checks/checked-fetch.ts";
import { forDsoOfTransfer } from "../../checks/contract-group.ts";
import { EMPTY_METADATA } from "../../splice-api-token-v1/metadata.ts";
import { TransferInstruction } from "../../splice-api-token-v1/transfer-instruction.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { expireLockContext } from "./choice-context.ts";

export const transferInstructionChoices = {
  AmuletRules_Amulet_ExpireTransferInstructions: {
    controllers: ({ dso }) => [dso],
    observers: (_rules, { observers }) => observers,
    exercise: ({ update, contract: { dso }, argument: { expectedDso, inputs } }) => {
      requireThat("The expectedDso must match the AmuletDso", expectedDso === dso);
      const ofDso = forDsoOfTransfer(dso);
      const results = inputs.map(({ transferInstructionCid, expireLock }) => {
        fetchViewChecked(update, TransferInstruction, transferInstructionCid, ofDso);
        const extraArgs = { context: expireLockContext(expireLock), meta: EMPTY_METADATA };
        const expiring = { extraActors: [], extraArgs };
        const choice = "TransferInstruction_Update";
        return update.exerciseInterface(TransferInstruction, transferInstructionCid, choice, expiring);
      });
      return { results };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;
