/** How an offer or a request is recognised once it has come to its end. */
import type { TransferOfferTrackingInfo } from "./declarations/transfer-offer.ts";

export function trackingOf({
  trackingId,
  sender,
  receiver,
}: TransferOfferTrackingInfo): TransferOfferTrackingInfo {
  return { trackingId, sender, receiver };
}

export function tracked(offer: TransferOfferTrackingInfo): {
  readonly trackingInfo: TransferOfferTrackingInfo;
} {
  return { trackingInfo: trackingOf(offer) };
}
