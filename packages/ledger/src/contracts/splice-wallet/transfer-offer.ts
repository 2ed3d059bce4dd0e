/**
 * TransferOffer: coin offered by one wallet to another. Nothing is locked: the sender's funds are looked for when the
 * accepted offer is completed. Either side can end it before that.
 */
import { requireThat } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import { AcceptedTransferOffer, TransferOffer } from "./declarations/transfer-offer.ts";
import { tracked } from "./tracking.ts";

/** In characters: the longest a description or a tracking id can be. */
const MAX_TEXT_LENGTH = 279;

export const transferOffer = implement(TransferOffer, {
  signatories: ({ sender }) => [sender],
  observers: ({ receiver }) => [receiver],
  ensure: ({ description, trackingId }) => isShort(description) && isShort(trackingId),
  choices: {
    TransferOffer_Accept: {
      controllers: ({ receiver }) => [receiver],
      exercise: ({ update, contract: { sender, receiver, dso, amount, expiresAt, trackingId } }) => {
        requireThat("Offer has not expired", update.now < expiresAt);
        const accepted = { sender, receiver, dso, amount, expiresAt, trackingId };
        return { acceptedTransferOffer: update.create(AcceptedTransferOffer, accepted) };
      },
    },
    TransferOffer_Reject: {
      controllers: ({ receiver }) => [receiver],
      exercise: ({ contract: offer }) => tracked(offer),
    },
    TransferOffer_Withdraw: {
      controllers: ({ sender }) => [sender],
      exercise: ({ contract: offer }) => tracked(offer),
    },
    TransferOffer_Expire: {
      controllers: (_offer, { actor }) => [actor],
      exercise: ({ update, contract: offer, argument: { actor } }) => {
        requireThat("Contract has expired", offer.expiresAt <= update.now);
        requireThat("Actor is a stakeholder", actor === offer.sender || actor === offer.receiver);
        return tracked(offer);
      },
    },
  },
});

/** A character outside the basic plane is two units of a JavaScript string and one character of Daml's. */
function isShort(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH || [...text].length <= MAX_TEXT_LENGTH;
}
