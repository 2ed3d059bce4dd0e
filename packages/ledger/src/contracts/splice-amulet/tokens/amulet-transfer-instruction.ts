/**
 * AmuletTransferInstruction: coin on its way. The receiver accepts it until the deadline or rejects it, the sender
 * withdraws it, and after the deadline the DSO may clean it up. The sender is its own app and earns nothing.
 */

import { showParty } from "../../../daml/show.ts";
import { fail } from "../../../engine/failure.ts";
import { implement, implementInterface } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import { EMPTY_METADATA, type ExtraArgs } from "../../splice-api-token-v1/metadata.ts";
import {
  type TokenTransfer,
  TransferInstruction,
  type TransferInstructionResult,
} from "../../splice-api-token-v1/transfer-instruction.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";
import { giveBack, handOver, type TwoStepTransfer } from "./two-step-transfer.ts";

const DEADLINE = "Transfer.executeBefore";

export function transferInstructionSteps(transfer: TokenTransfer): TwoStepTransfer {
  const { sender, receiver, amount, instrumentId, executeBefore } = transfer;
  return {
    dso: instrumentId.admin,
    sender,
    receiver,
    amount,
    lockContext: `transfer to ${showParty(receiver)}`,
    deadline: executeBefore,
    deadlineName: DEADLINE,
    provider: sender,
    mayBeFeatured: false,
  };
}

export const amuletTransferInstruction = implement(AmuletTransferInstruction, {
  signatories: ({ transfer }) => [transfer.instrumentId.admin, transfer.sender],
  observers: ({ transfer }) => [transfer.receiver],
  interfaces: [
    implementInterface(AmuletTransferInstruction, TransferInstruction, {
      view: ({ transfer }) => ({
        originalInstructionCid: null,
        transfer,
        status: { tag: "TransferPendingReceiverAcceptance", value: {} } as const,
        meta: EMPTY_METADATA,
      }),
      choices: {
        TransferInstruction_Accept: {
          controllers: ({ transfer }) => [transfer.receiver],
          exercise: ({ update, contract: { lockedAmulet, transfer }, argument: { extraArgs } }) => {
            const steps = transferInstructionSteps(transfer);
            const { senderCids, receiverCids, meta } = handOver(update, steps, lockedAmulet, extraArgs);
            const value = { receiverHoldingCids: receiverCids };
            const output = { tag: "TransferInstructionResult_Completed", value } as const;
            return { output, senderChangeCids: senderCids, meta };
          },
        },
        TransferInstruction_Reject: {
          controllers: ({ transfer }) => [transfer.receiver],
          exercise: ({ update, contract, argument: { extraArgs } }) => callOff(update, contract, extraArgs),
        },
        TransferInstruction_Withdraw: {
          controllers: ({ transfer }) => [transfer.sender],
          exercise: ({ update, contract, argument: { extraArgs } }) => callOff(update, contract, extraArgs),
        },
        TransferInstruction_Update: {
          controllers: ({ transfer }, { extraActors }) => [transfer.instrumentId.admin, ...extraActors],
          exercise: ({ update, contract, argument: { extraActors, extraArgs } }) => {
            requireNobodyElse(extraActors.length);
            requireDeadlineExceeded(DEADLINE, update.now, contract.transfer.executeBefore);
            return callOff(update, contract, extraArgs);
          },
        },
      },
    }),
  ],
});

function callOff(
  update: Update,
  { lockedAmulet, transfer }: AmuletTransferInstruction,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  return {
    output: { tag: "TransferInstructionResult_Failed", value: {} },
    senderChangeCids: giveBack(update, transferInstructionSteps(transfer), lockedAmulet, extraArgs),
    meta: EMPTY_METADATA,
  };
}

function requireNobodyElse(extraActors: number): void {
  if (extraActors === 0) return;
  fail(
    "UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed",
    "Amulet transfer expiry does not support extra actors",
  );
}
