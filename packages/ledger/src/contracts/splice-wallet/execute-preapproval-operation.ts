/**
 * The operations about preapprovals. Only a validator's own wallet offers to host a party or accepts to provide for
 * one, because the validator pays. Sending goes by the featured right of the receiver's provider, not of the sender's.
 */
import { requireThat } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { PaymentTransferContext, TransferInput } from "../splice-amulet/declarations/transfer.ts";
import { TransferPreapproval } from "../splice-amulet/declarations/transfer-preapproval.ts";
import type { AmuletOperation, AmuletOperationOutcome } from "./declarations/amulet-operation.ts";
import type { WalletAppInstall } from "./declarations/install.ts";
import { TransferPreapprovalProposal } from "./declarations/transfer-preapproval-proposal.ts";

type PreapprovalOperation = Extract<
  AmuletOperation,
  {
    readonly tag:
      | "CO_CreateExternalPartySetupProposal"
      | "CO_AcceptTransferPreapprovalProposal"
      | "CO_RenewTransferPreapproval"
      | "CO_TransferPreapprovalSend";
  }
>;

interface PreapprovalStep {
  readonly outcome: AmuletOperationOutcome;
  readonly change: ContractId | null;
}

/** The update, the wallet and the transfer context that all operations of a batch share. */
export interface Batch {
  readonly update: Update;
  readonly install: WalletAppInstall;
  readonly context: PaymentTransferContext;
}

export function executePreapprovalOperation(
  { update, install, context }: Batch,
  operation: PreapprovalOperation,
  inputs: readonly TransferInput[],
): PreapprovalStep {
  const { dsoParty, validatorParty: validator, endUserParty } = install;
  switch (operation.tag) {
    case "CO_CreateExternalPartySetupProposal": {
      const label = "Only a validator can create a proposal to host an external party";
      requireThat(label, endUserParty === validator);
      const { externalParty: user, preapprovalExpiresAt } = operation.value;
      const choice = "AmuletRules_CreateExternalPartySetupProposal";
      const argument = { context, inputs, user, validator, preapprovalExpiresAt, expectedDso: dsoParty };
      const result = update.exercise(AmuletRules, context.amuletRules, choice, argument);
      const outcome = { tag: "COO_CreateExternalPartySetupProposal", value: result.proposalCid } as const;
      return { outcome, change: result.transferResult.senderChangeAmulet };
    }
    case "CO_AcceptTransferPreapprovalProposal": {
      const label = "Only a validator can accept a proposal to create a transfer preapproval";
      requireThat(label, endUserParty === validator);
      const { preapprovalProposalCid, expiresAt } = operation.value;
      const choice = "TransferPreapprovalProposal_Accept";
      const argument = { context, inputs, expiresAt };
      const result = update.exercise(TransferPreapprovalProposal, preapprovalProposalCid, choice, argument);
      const { transferPreapprovalCid: value } = result;
      const outcome = { tag: "COO_AcceptTransferPreapprovalProposal", value } as const;
      return { outcome, change: result.transferResult.senderChangeAmulet };
    }
    case "CO_RenewTransferPreapproval": {
      const { previousApprovalCid, newExpiresAt } = operation.value;
      const argument = { context, inputs, newExpiresAt };
      const choice = "TransferPreapproval_Renew";
      const result = update.exercise(TransferPreapproval, previousApprovalCid, choice, argument);
      const { transferPreapprovalCid: value } = result;
      const outcome = { tag: "COO_RenewTransferPreapproval", value } as const;
      return { outcome, change: result.transferResult.senderChangeAmulet };
    }
    case "CO_TransferPreapprovalSend": {
      const { transferPreapprovalCid, providerFeaturedAppRightCid, amount, description } = operation.value;
      const { amuletRules } = context;
      const featured = { ...context.context, featuredAppRight: providerFeaturedAppRightCid };
      const { result } = update.exercise(
        TransferPreapproval,
        transferPreapprovalCid,
        "TransferPreapproval_Send",
        { context: { amuletRules, context: featured }, inputs, amount, sender: endUserParty, description },
      );
      const { senderChangeAmulet: change } = result;
      return { outcome: { tag: "COO_TransferPreapprovalSend", value: change }, change };
    }
  }
}
