/**
 * Preapprovals of transfers: the provider pays for the time of a preapproval when it is made. A validator can propose to
 * host an external party, and pays for the preapproval with the proposal.
 */
import { requireThat } from "../../../engine/failure.ts";
import type { SomeChoiceRules } from "../../../engine/template.ts";
import { requireExpectedDso } from "../../checks/expected-dso.ts";
import type { AmuletRules } from "../declarations/amulet-rules.ts";
import { ExternalPartySetupProposal, TransferPreapproval } from "../declarations/transfer-preapproval.ts";
import { payForPreapproval } from "./preapproval-fee.ts";

export const preapprovalChoices = {
  AmuletRules_CreateExternalPartySetupProposal: {
    controllers: (_rules, { validator }) => [validator],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso } = rules;
      const { inputs, user, validator, preapprovalExpiresAt } = argument;
      const { context } = argument.context;
      const { now } = update;
      requireExpectedDso(dso, argument.expectedDso);
      requireThat("preapprovalExpiresAt is not in the past", preapprovalExpiresAt > now);
      const duration = preapprovalExpiresAt - now;
      const usage = "create ExternalPartySetupProposal";
      const payment = { sender: validator, duration, inputs, context, usage };
      const { transferResult, amuletPaid, meta } = payForPreapproval(update, rules, payment);
      const proposalCid = update.create(ExternalPartySetupProposal, {
        validator,
        user,
        dso,
        createdAt: now,
        preapprovalExpiresAt,
      });
      return { proposalCid, user, validator, transferResult, amuletPaid, meta };
    },
  },
  AmuletRules_CreateTransferPreapproval: {
    controllers: (_rules, { provider, receiver }) => [provider, receiver],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso } = rules;
      const { inputs, receiver, provider, expiresAt } = argument;
      const { context } = argument.context;
      const { now } = update;
      requireExpectedDso(dso, argument.expectedDso);
      requireThat("expiresAt is not in the past", expiresAt > now);
      const usage = "create TransferPreapproval";
      const payment = { sender: provider, duration: expiresAt - now, inputs, context, usage };
      const { transferResult, amuletPaid, meta } = payForPreapproval(update, rules, payment);
      const transferPreapprovalCid = update.create(TransferPreapproval, {
        dso,
        receiver,
        provider,
        validFrom: now,
        lastRenewedAt: now,
        expiresAt,
      });
      return { transferPreapprovalCid, transferResult, amuletPaid, meta };
    },
  },
} satisfies SomeChoiceRules<typeof AmuletRules>;
