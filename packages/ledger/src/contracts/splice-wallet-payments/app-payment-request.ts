/**
 * AppPaymentRequest: an app asks a user to pay receivers, all at once or not at all. Accepting it fixes the amounts
 * in coin by the price of the wallet's round and locks their sum; everybody else can end it in their own way.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { sum } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { compareAscii } from "../../values/text.ts";
import { fetchOpenRound } from "../splice-amulet/rounds/fetch-open-round.ts";
import { AcceptedAppPayment, AppPaymentRequest, TerminatedAppPayment } from "./declarations/app-payments.ts";
import { lockCoin } from "./lock-coin.ts";
import { paymentAmountToAmulet } from "./payment-amount-to-amulet.ts";

export const appPaymentRequest = implement(AppPaymentRequest, {
  signatories: stakeholders,
  ensure: ({ receiverAmounts }) => receiverAmounts.every(({ amount }) => amount.amount > 0n),
  choices: {
    AppPaymentRequest_Expire: {
      controllers: (_request, { actor }) => [actor],
      exercise: ({ update, contract: request, argument: { actor }, self }) => {
        requireThat("Actor is a stakeholder", stakeholders(request).includes(actor));
        requireThat("Contract has expired", request.expiresAt <= update.now);
        return terminate(update, request, self);
      },
    },
    AppPaymentRequest_Accept: {
      controllers: ({ sender }, { walletProvider }) => [sender, walletProvider],
      exercise: ({ update, contract: request, argument: paying, self }) => {
        const { sender, provider, dso, receiverAmounts, expiresAt, description } = request;
        const { openMiningRound } = paying.context.context;
        const round = fetchOpenRound(update, openMiningRound, { dso, reader: provider });
        const amuletReceiverAmounts = receiverAmounts.map(({ receiver, amount }) => {
          return { receiver, amuletAmount: paymentAmountToAmulet(amount, round.amuletPrice) };
        });
        requireThat("AppPaymentRequest has not expired", update.now < expiresAt);
        const lock = {
          sender,
          dso,
          amount: sum(amuletReceiverAmounts.map(({ amuletAmount }) => amuletAmount)),
          holders: [...new Set([provider, ...receivers(request)])].sort(compareAscii),
          optContext: `amulet-payment-request: ${description}`,
        };
        const { lockedAmulet, round: lockedIn, senderChange } = lockCoin(update, lock, round, paying);
        const acceptedPayment = update.create(AcceptedAppPayment, {
          sender,
          amuletReceiverAmounts,
          provider,
          dso,
          lockedAmulet,
          round: lockedIn,
          reference: self,
        });
        return { acceptedPayment, senderChangeAmulet: senderChange };
      },
    },
    AppPaymentRequest_Withdraw: {
      controllers: receivers,
      exercise: ({ update, contract: request, self }) => terminate(update, request, self),
    },
    AppPaymentRequest_Reject: {
      controllers: ({ sender }) => [sender],
      exercise: ({ update, contract: request, self }) => terminate(update, request, self),
    },
  },
});

function receivers({ receiverAmounts }: AppPaymentRequest): readonly PartyId[] {
  return receiverAmounts.map(({ receiver }) => receiver);
}

function stakeholders(request: AppPaymentRequest): readonly PartyId[] {
  return [request.sender, ...receivers(request), request.provider];
}

function terminate(update: Update, request: AppPaymentRequest, reference: ContractId) {
  const { sender, provider } = request;
  const tombstone = { sender, provider, receivers: receivers(request), reference };
  return { terminatedAppPayment: update.create(TerminatedAppPayment, tombstone) };
}
