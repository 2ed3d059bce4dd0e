/** Splice.Wallet.BuyTrafficRequest and Splice.Wallet.TopUpState: traffic that a wallet is to buy, or keeps buying. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import { PaymentTransferContext, TransferInput } from "../../splice-amulet/declarations/transfer.ts";

/** By the tracking id wallets recognise a request they made before. */
export const BuyTrafficRequestTrackingInfo = record({ trackingId: text, endUserParty: party });

export const TrackedTraffic = record({ trackingInfo: BuyTrafficRequestTrackingInfo });

export const BuyTrafficRequest = declareTemplate({
  package: walletPackage,
  module: "Splice.Wallet.BuyTrafficRequest",
  entity: "BuyTrafficRequest",
  fields: {
    dso: party,
    endUserParty: party,
    expiresAt: time,
    trackingId: text,
    trafficAmount: int64,
    memberId: text,
    synchronizerId: text,
    migrationId: int64,
  },
  choices: {
    BuyTrafficRequest_Complete: consuming(
      { inputs: list(TransferInput), context: PaymentTransferContext, walletProvider: party },
      record({
        purchasedTraffic: contractId,
        trackingInfo: BuyTrafficRequestTrackingInfo,
        senderChangeAmulet: optional(contractId),
      }),
    ),
    BuyTrafficRequest_Cancel: consuming({ reason: text }, TrackedTraffic),
    BuyTrafficRequest_Expire: consuming({}, TrackedTraffic),
  },
});
export type BuyTrafficRequest = ValueOf<(typeof BuyTrafficRequest)["record"]>;

export const ValidatorTopUpState = declareTemplate({
  package: walletPackage,
  module: "Splice.Wallet.TopUpState",
  entity: "ValidatorTopUpState",
  fields: {
    dso: party,
    validator: party,
    memberId: text,
    synchronizerId: text,
    migrationId: int64,
    lastPurchasedAt: time,
  },
});
