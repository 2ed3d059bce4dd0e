/**
 * ExternalPartySetupProposal: a validator offers to host an external party and has paid for its preapproval. The
 * preapproval counts from the proposal, whenever it is accepted; after its end there is nothing left to accept.
 */
import { implement } from "../../../engine/template.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import { ValidatorRight } from "../declarations/amulet.ts";
import { ExternalPartySetupProposal, TransferPreapproval } from "../declarations/transfer-preapproval.ts";

export const externalPartySetupProposal = implement(ExternalPartySetupProposal, {
  signatories: ({ validator, dso }) => [validator, dso],
  observers: ({ user }) => [user],
  choices: {
    ExternalPartySetupProposal_Accept: {
      controllers: ({ user }) => [user],
      exercise: ({ update, contract: { dso, validator, user, createdAt, preapprovalExpiresAt } }) => {
        const name = "ExternalPartySetupProposal.preapprovalExpiresAt";
        requireWithinDeadline(name, update.now, preapprovalExpiresAt);
        const validatorRightCid = update.create(ValidatorRight, { dso, user, validator });
        const transferPreapprovalCid = update.create(TransferPreapproval, {
          dso,
          receiver: user,
          provider: validator,
          validFrom: createdAt,
          lastRenewedAt: createdAt,
          expiresAt: preapprovalExpiresAt,
        });
        return { validatorRightCid, transferPreapprovalCid };
      },
    },
    ExternalPartySetupProposal_Reject: {
      controllers: ({ user }) => [user],
      exercise: () => ({ dummyArg: {} }),
    },
    ExternalPartySetupProposal_Withdraw: {
      controllers: ({ validator }) => [validator],
      exercise: () => ({ dummyArg: {} }),
    },
  },
});
