/**
 * AcceptedAppPayment: a payment whose coin is locked. All of its signatories collect it together, in the round it was
 * locked in; the receivers may give it up, and the sender takes it back once the lock has run out.
 */
import { abort } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import type { AppTransferContext } from "../splice-amulet/declarations/transfer.ts";
import { requireRoundOfPayment, unlockAndTransfer } from "./collect-payment.ts";
import {
  AcceptedAppPayment,
  type ReceiverAmuletAmount,
  TerminatedAppPayment,
} from "./declarations/app-payments.ts";
import { refundPayment } from "./refund-payment.ts";

export const acceptedAppPayment = implement(AcceptedAppPayment, {
  signatories,
  choices: {
    AcceptedAppPayment_Collect: {
      controllers: signatories,
      exercise: ({ update, contract: payment, argument: { context } }) => {
        const { amuletReceiverAmounts, lockedAmulet } = payment;
        requireRoundOfPayment(update, "payment acceptance", payment, context);
        const outputs = amuletReceiverAmounts.map(outputOf);
        const coins = unlockAndTransfer(update, payment, { lockedAmulet, outputs }, context);
        return { receiverAmulets: pair(amuletReceiverAmounts, coins) };
      },
    },
    AcceptedAppPayment_Reject: {
      controllers: receivers,
      exercise: ({ update, contract: payment, argument: { context } }) =>
        refund(update, payment, "LockedAmulet_UnlockV2", context),
    },
    AcceptedAppPayment_Expire: {
      controllers: ({ sender }) => [sender],
      exercise: ({ update, contract: payment, argument: { context } }) =>
        refund(update, payment, "LockedAmulet_OwnerExpireLockV2", context),
    },
  },
});

function receivers({ amuletReceiverAmounts }: AcceptedAppPayment): readonly PartyId[] {
  return amuletReceiverAmounts.map(({ receiver }) => receiver);
}

function signatories(payment: AcceptedAppPayment): readonly PartyId[] {
  return [payment.sender, payment.provider, ...receivers(payment)];
}

function outputOf({ receiver, amuletAmount }: ReceiverAmuletAmount) {
  return { receiver, receiverFeeRatio: ZERO, amount: amuletAmount, lock: null };
}

/** A transfer makes one coin an output, in order. */
function pair(amounts: readonly ReceiverAmuletAmount[], coins: readonly ContractId[]) {
  return amounts.map(({ receiver }, i) => {
    const coin = coins[i];
    return coin === undefined
      ? abort("A collected payment has a coin for each receiver")
      : { _1: receiver, _2: coin };
  });
}

function refund(
  update: Update,
  payment: AcceptedAppPayment,
  how: "LockedAmulet_UnlockV2" | "LockedAmulet_OwnerExpireLockV2",
  context: AppTransferContext,
) {
  const { sender, provider, reference, lockedAmulet } = payment;
  update.create(TerminatedAppPayment, { sender, provider, receivers: receivers(payment), reference });
  return { amulet: refundPayment(update, payment, { lockedAmulet, how }, context) };
}
