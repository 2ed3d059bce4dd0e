/** Splice.Wallet.Install: what a validator may do for a wallet user. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, party, text, time } from "../../../daml/scalars.ts";
import { declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import { PaymentTransferContext, TransferInput } from "../../splice-amulet/declarations/transfer.ts";
import { PaymentAmount } from "../../splice-wallet-payments/declarations/payment-amount.ts";
import { AmuletOperation, AmuletOperationOutcome } from "./amulet-operation.ts";
import { tokenForwards } from "./token-forwards.ts";
import { TrackedTraffic } from "./traffic-purchases.ts";
import { Tracked } from "./transfer-offer.ts";

const ofContract = { cid: contractId } as const;
const withReason = { cid: contractId, reason: text } as const;
const TerminatedPayment = record({ terminatedAppPayment: contractId });
const TerminatedSubscription = record({ terminatedSubscription: contractId });

export const WalletAppInstall = declareTemplate({
  package: walletPackage,
  module: "Splice.Wallet.Install",
  entity: "WalletAppInstall",
  fields: { dsoParty: party, validatorParty: party, endUserName: text, endUserParty: party },
  choices: {
    WalletAppInstall_ExecuteBatch: nonConsuming(
      { context: PaymentTransferContext, inputs: list(TransferInput), operations: list(AmuletOperation) },
      record({ endUserName: text, outcomes: list(AmuletOperationOutcome), optEndUserParty: optional(party) }),
    ),
    WalletAppInstall_AppPaymentRequest_Reject: nonConsuming(ofContract, TerminatedPayment),
    WalletAppInstall_AppPaymentRequest_Expire: nonConsuming(ofContract, TerminatedPayment),
    WalletAppInstall_SubscriptionRequest_Reject: nonConsuming(ofContract, TerminatedSubscription),
    WalletAppInstall_SubscriptionIdleState_CancelSubscription: nonConsuming(
      ofContract,
      TerminatedSubscription,
    ),
    WalletAppInstall_CreateTransferOffer: nonConsuming(
      { receiver: party, amount: PaymentAmount, description: text, expiresAt: time, trackingId: text },
      record({ transferOffer: contractId }),
    ),
    WalletAppInstall_TransferOffer_Accept: nonConsuming(
      ofContract,
      record({ acceptedTransferOffer: contractId }),
    ),
    WalletAppInstall_TransferOffer_Reject: nonConsuming(ofContract, Tracked),
    WalletAppInstall_TransferOffer_Withdraw: nonConsuming(withReason, Tracked),
    WalletAppInstall_TransferOffer_Expire: nonConsuming(ofContract, Tracked),
    WalletAppInstall_AcceptedTransferOffer_Abort: nonConsuming(withReason, Tracked),
    WalletAppInstall_AcceptedTransferOffer_Withdraw: nonConsuming(withReason, Tracked),
    WalletAppInstall_AcceptedTransferOffer_Expire: nonConsuming(ofContract, Tracked),
    WalletAppInstall_CreateBuyTrafficRequest: nonConsuming(
      {
        memberId: text,
        synchronizerId: text,
        migrationId: int64,
        trafficAmount: int64,
        expiresAt: time,
        trackingId: text,
      },
      record({ buyTrafficRequest: contractId }),
    ),
    WalletAppInstall_BuyTrafficRequest_Cancel: nonConsuming(
      { requestCid: contractId, reason: text },
      TrackedTraffic,
    ),
    WalletAppInstall_BuyTrafficRequest_Expire: nonConsuming({ requestCid: contractId }, TrackedTraffic),
    WalletAppInstall_FeaturedAppRights_Cancel: nonConsuming(ofContract),
    ...tokenForwards,
    WalletAppInstall_FeaturedAppRights_SelfGrant: nonConsuming(
      { amuletRulesCid: contractId },
      record({ featuredAppRight: contractId }),
    ),
  },
});
export type WalletAppInstall = ValueOf<(typeof WalletAppInstall)["record"]>;
