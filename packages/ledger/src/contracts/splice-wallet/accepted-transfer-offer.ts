/**
 * AcceptedTransferOffer: both sides agree; what is left is that the sender's wallet pays before the offer expires.
 * An amount in dollars is turned into coin by the price of the round the wallet pays in.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { ZERO } from "../../values/decimal.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { fetchOpenRound } from "../splice-amulet/rounds/fetch-open-round.ts";
import { paymentAmountToAmulet } from "../splice-wallet-payments/payment-amount-to-amulet.ts";
import { AcceptedTransferOffer } from "./declarations/transfer-offer.ts";
import { tracked, trackingOf } from "./tracking.ts";

export const acceptedTransferOffer = implement(AcceptedTransferOffer, {
  signatories: ({ sender, receiver }) => [sender, receiver],
  choices: {
    AcceptedTransferOffer_Complete: {
      controllers: ({ sender }, { walletProvider }) => [sender, walletProvider],
      exercise: ({ update, contract: offer, argument: { inputs, transferContext, walletProvider } }) => {
        const { sender, receiver, dso, expiresAt } = offer;
        const { amuletRules, context } = transferContext;
        requireThat("Offer has not expired", update.now < expiresAt);
        const round = fetchOpenRound(update, context.openMiningRound, { dso, reader: sender });
        const amount = paymentAmountToAmulet(offer.amount, round.amuletPrice);
        const outputs = [{ receiver, receiverFeeRatio: ZERO, amount, lock: null }];
        const transferResult = update.exercise(AmuletRules, amuletRules, "AmuletRules_Transfer", {
          transfer: { sender, provider: walletProvider, inputs, outputs, beneficiaries: null },
          context,
          expectedDso: dso,
        });
        const { senderChangeAmulet } = transferResult;
        return { transferResult, trackingInfo: trackingOf(offer), senderChangeAmulet };
      },
    },
    AcceptedTransferOffer_Withdraw: {
      controllers: ({ receiver }) => [receiver],
      exercise: ({ contract: offer }) => tracked(offer),
    },
    AcceptedTransferOffer_Abort: {
      controllers: ({ sender }) => [sender],
      exercise: ({ contract: offer }) => tracked(offer),
    },
    AcceptedTransferOffer_Expire: {
      controllers: (_offer, { actor }) => [actor],
      exercise: ({ update, contract: offer, argument: { actor } }) => {
        requireThat("Contract has expired", offer.expiresAt <= update.now);
        requireThat("Actor is a stakeholder", actor === offer.sender || actor === offer.receiver);
        return tracked(offer);
      },
    },
  },
});
