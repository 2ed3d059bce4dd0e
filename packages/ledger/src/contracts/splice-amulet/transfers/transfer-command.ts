/**
 * TransferCommand: one transfer that a delegate may make for a party that signs outside, before there was the token
 * standard. Commands of a sender come in the order of their numbers and each is done once: its number is used up
 * even if no coin moves, so that the sender soon sees its outcome.
 */

import { showParty } from "../../../daml/show.ts";
import type { ArgumentOf, ResultOf } from "../../../engine/declaration.ts";
import { abort, requireThat } from "../../../engine/failure.ts";
import { type ChoiceCall, implement } from "../../../engine/template.ts";
import { int64 } from "../../../values/int64.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forOwnerAs } from "../../checks/contract-group.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../../checks/deadline.ts";
import { TransferCommand, TransferCommandCounter } from "../declarations/external-party-amulet-rules.ts";
import { TransferPreapproval } from "../declarations/transfer-preapproval.ts";

const DEADLINE = "TransferCommand.expiresAt";

export const transferCommandCounter = implement(TransferCommandCounter, {
  signatories: ({ dso }) => [dso],
  observers: ({ sender }) => [sender],
});

export const transferCommand = implement(TransferCommand, {
  signatories: ({ sender, dso }) => [sender, dso],
  observers: ({ delegate }) => [delegate],
  choices: {
    TransferCommand_Send: { controllers: ({ delegate }) => [delegate], exercise: send },
    TransferCommand_Withdraw: {
      controllers: ({ sender }) => [sender],
      exercise: ({ contract: { sender, nonce } }) => ({ sender, nonce }),
    },
    TransferCommand_Expire: {
      controllers: (_command, { p }) => [p],
      exercise: ({ update, contract: { dso, sender, delegate, nonce, expiresAt }, argument: { p } }) => {
        requireThat("Controller is a stakeholder", p === dso || p === sender || p === delegate);
        requireDeadlineExceeded(DEADLINE, update.now, expiresAt);
        return { sender, nonce };
      },
    },
  },
});

type Sending = ArgumentOf<(typeof TransferCommand)["choices"]["TransferCommand_Send"]>;
type Sent = ResultOf<(typeof TransferCommand)["choices"]["TransferCommand_Send"]>;

function send({ update, contract: command, argument }: ChoiceCall<TransferCommand, Sending>): Sent {
  const { dso, sender, receiver, amount, nonce, description } = command;
  const { context, inputs, transferPreapprovalCidO: preapprovalCid, transferCounterCid } = argument;
  const ofSender = forOwnerAs({ dso, owner: sender }, (counter: TransferCommandCounter) => counter.sender);
  const counter = fetchChecked(update, TransferCommandCounter, transferCounterCid, ofSender);
  const { nextNonce } = counter;
  if (nextNonce > nonce) {
    return failed(command, `Expected nonce ${nonce} is smaller than current counter ${nextNonce}`);
  }
  // It is not its turn yet: the command stays, and can be sent again.
  if (nextNonce < nonce) abort(`Expected nonce ${nonce} is bigger than current counter ${nextNonce}`);
  update.archive(TransferCommandCounter, transferCounterCid);
  update.create(TransferCommandCounter, { ...counter, nextNonce: int64(nextNonce + 1n) });
  // The contract cannot check that none exists; the delegate is trusted with it.
  if (preapprovalCid === null) {
    return failed(command, `No TransferPreapproval for receiver ${showParty(receiver)}`);
  }
  const ofReceiver = forOwnerAs({ dso, owner: receiver }, (given: TransferPreapproval) => given.receiver);
  fetchChecked(update, TransferPreapproval, preapprovalCid, ofReceiver);
  requireWithinDeadline(DEADLINE, update.now, command.expiresAt);
  const sending = { context, inputs, amount, sender, description };
  const choice = "TransferPreapproval_Send";
  const { result } = update.exercise(TransferPreapproval, preapprovalCid, choice, sending);
  return { result: { tag: "TransferCommandResultSuccess", value: { result } }, sender, nonce };
}

/** A result and no failure: the command is used up. */
function failed({ sender, nonce }: TransferCommand, description: string): Sent {
  const reason = { tag: "ITR_Other", value: { description } } as const;
  return { result: { tag: "TransferCommandResultFailure", value: { reason } }, sender, nonce };
}
