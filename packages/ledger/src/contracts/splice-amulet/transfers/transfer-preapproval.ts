/**
 * TransferPreapproval: a receiver's standing consent to get coin from anybody, until it expires. The provider pays
 * for it, renews it, and is the app of every transfer that goes through it.
 */

import { showParty } from "../../../daml/show.ts";
import { requireThat } from "../../../engine/failure.ts";
import { implement } from "../../../engine/template.ts";
import { ZERO } from "../../../values/decimal.ts";
import { requireGroup } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import { withReason } from "../coin/holding-metadata.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import type { Transfer } from "../declarations/transfer.ts";
import { TransferPreapproval } from "../declarations/transfer-preapproval.ts";
import { executeExternalPartyTransfer } from "./external-party-transfer.ts";
import { payForPreapproval } from "./preapproval-fee.ts";

const EXPIRY = "TransferPreapproval.expiresAt";

/** Rewards go to the provider that hosts the receiver; the sender cannot choose them. */
function transferTo(
  { receiver, provider }: TransferPreapproval,
  {
    sender,
    inputs,
    amount,
  }: Pick<Transfer, "sender" | "inputs"> & Pick<Transfer["outputs"][number], "amount">,
): Transfer {
  const outputs = [{ receiver, receiverFeeRatio: ZERO, amount, lock: null }];
  return { sender, provider, inputs, outputs, beneficiaries: null };
}

export const transferPreapproval = implement(TransferPreapproval, {
  signatories: ({ receiver, provider, dso }) => [receiver, provider, dso],
  ensure: ({ expiresAt, validFrom, lastRenewedAt }) => expiresAt > validFrom && lastRenewedAt >= validFrom,
  choices: {
    TransferPreapproval_Fetch: {
      controllers: (_preapproval, { p }) => [p],
      exercise: ({ contract: preapproval }) => preapproval,
    },
    TransferPreapproval_Send: {
      controllers: (_preapproval, { sender }) => [sender],
      exercise: ({ update, contract: preapproval, argument }) => {
        requireWithinDeadline(EXPIRY, update.now, preapproval.expiresAt);
        const { amuletRules, context } = argument.context;
        const result = update.exercise(AmuletRules, amuletRules, "AmuletRules_Transfer", {
          transfer: transferTo(preapproval, argument),
          context,
          expectedDso: preapproval.dso,
        });
        // The metadata stands once, beside the result.
        return { result: { ...result, meta: null }, meta: withReason(result.meta, argument.description) };
      },
    },
    TransferPreapproval_SendV2: {
      controllers: (_preapproval, { sender }) => [sender],
      exercise: ({ update, contract: preapproval, argument }) => {
        requireWithinDeadline(EXPIRY, update.now, preapproval.expiresAt);
        const transfer = transferTo(preapproval, argument);
        const result = executeExternalPartyTransfer(update, preapproval.dso, transfer, argument.context);
        return { result: { ...result, meta: null }, meta: withReason(result.meta, argument.description) };
      },
    },
    TransferPreapproval_Renew: {
      controllers: ({ provider }) => [provider],
      exercise: ({ update, contract: preapproval, argument }) => {
        const { dso, receiver, provider, expiresAt } = preapproval;
        const { inputs, newExpiresAt } = argument;
        const { amuletRules, context } = argument.context;
        requireThat("Contract is not expired", expiresAt > update.now);
        requireThat("newExpiresAt is after expiresAt", newExpiresAt > expiresAt);
        const rules = update.exercise(AmuletRules, amuletRules, "AmuletRules_Fetch", { p: dso });
        requireGroup(forDso(dso), rules, `AmuletRules ${amuletRules}`);
        const duration = newExpiresAt - expiresAt;
        const payment = { sender: provider, duration, inputs, context, usage: "renew TransferPreapproval" };
        const { transferResult, amuletPaid, meta } = payForPreapproval(update, rules, payment);
        const transferPreapprovalCid = update.create(TransferPreapproval, {
          ...preapproval,
          lastRenewedAt: update.now,
          expiresAt: newExpiresAt,
        });
        return { transferPreapprovalCid, transferResult, receiver, provider, amuletPaid, meta };
      },
    },
    TransferPreapproval_Expire: {
      controllers: ({ dso }) => [dso],
      exercise: ({ update, contract: { expiresAt } }) => {
        requireThat("Contract has expired", update.now >= expiresAt);
        return {};
      },
    },
    TransferPreapproval_Cancel: {
      controllers: (_preapproval, { p }) => [p],
      exercise: ({ update, contract: { receiver, provider, expiresAt }, argument: { p } }) => {
        const label = `Controller ${showParty(p)} is either receiver or provider`;
        requireThat(label, p === receiver || p === provider);
        requireWithinDeadline(EXPIRY, update.now, expiresAt);
        return {};
      },
    },
  },
});
