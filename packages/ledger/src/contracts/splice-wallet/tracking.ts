/** Tracking info: it identifies an offer or a request after its end. */
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
