/** TransferPreapprovalProposal: a receiver's offer to a provider, who accepts it by paying for the preapproval. */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { TransferPreapprovalProposal } from "./declarations/transfer-preapproval-proposal.ts";

export const transferPreapprovalProposal = implement(TransferPreapprovalProposal, {
  signatories: ({ receiver }) => [receiver],
  observers: ({ provider }) => [provider],
  choices: {
    TransferPreapprovalProposal_Accept: {
      controllers: ({ provider }) => [provider],
      exercise: ({ update, contract: proposal, argument: { context, inputs, expiresAt } }) => {
        requireThat("expiresAt is not in the past", update.now < expiresAt);
        const { receiver, provider, expectedDso } = proposal;
        const { transferPreapprovalCid, transferResult, amuletPaid } = update.exercise(
          AmuletRules,
          context.amuletRules,
          "AmuletRules_CreateTransferPreapproval",
          { context, inputs, receiver, provider, expiresAt, expectedDso },
        );
        return { transferPreapprovalCid, transferResult, amuletPaid };
      },
    },
  },
});
