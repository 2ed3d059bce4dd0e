/** Splice.Wallet.TransferOffer: a transfer between two wallets, offered by one and accepted by the other. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import {
  PaymentTransferContext,
  TransferInput,
  TransferResult,
} from "../../splice-amulet/declarations/transfer.ts";
import { PaymentAmount } from "../../splice-wallet-payments/declarations/payment-amount.ts";

const place = { package: walletPackage, module: "Splice.Wallet.TransferOffer" } as const;

/** By the tracking id wallets recognise an offer they made before. */
export const TransferOfferTrackingInfo = record({ trackingId: text, sender: party, receiver: party });
export type TransferOfferTrackingInfo = ValueOf<typeof TransferOfferTrackingInfo>;

export const Tracked = record({ trackingInfo: TransferOfferTrackingInfo });

export const TransferOffer = declareTemplate({
  ...place,
  entity: "TransferOffer",
  fields: {
    sender: party,
    receiver: party,
    dso: party,
    amount: PaymentAmount,
    description: text,
    expiresAt: time,
    trackingId: text,
  },
  choices: {
    TransferOffer_Accept: consuming({}, record({ acceptedTransferOffer: contractId })),
    TransferOffer_Reject: consuming({}, Tracked),
    TransferOffer_Withdraw: consuming({ reason: text }, Tracked),
    TransferOffer_Expire: consuming({ actor: party }, Tracked),
  },
});
export type TransferOffer = ValueOf<(typeof TransferOffer)["record"]>;

export const AcceptedTransferOffer = declareTemplate({
  ...place,
  entity: "AcceptedTransferOffer",
  fields: {
    sender: party,
    receiver: party,
    dso: party,
    amount: PaymentAmount,
    expiresAt: time,
    trackingId: text,
  },
  choices: {
    AcceptedTransferOffer_Complete: consuming(
      { inputs: list(TransferInput), transferContext: PaymentTransferContext, walletProvider: party },
      record({
        transferResult: TransferResult,
        trackingInfo: TransferOfferTrackingInfo,
        senderChangeAmulet: optional(contractId),
      }),
    ),
    AcceptedTransferOffer_Withdraw: consuming({ reason: text }, Tracked),
    AcceptedTransferOffer_Abort: consuming({ reason: text }, Tracked),
    AcceptedTransferOffer_Expire: consuming({ actor: party }, Tracked),
  },
});
export type AcceptedTransferOffer = ValueOf<(typeof AcceptedTransferOffer)["record"]>;
