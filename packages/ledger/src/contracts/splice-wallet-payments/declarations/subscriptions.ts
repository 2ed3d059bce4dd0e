/** Splice.Wallet.Subscriptions: a request, its first payment, and the running subscription. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { walletPaymentsPackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { AmuletCreateSummary } from "../../splice-amulet/declarations/amulet.ts";
import { Round } from "../../splice-amulet/declarations/round-number.ts";
import {
  AppTransferContext,
  PaymentTransferContext,
  TransferInput,
} from "../../splice-amulet/declarations/transfer.ts";
import { PaymentAmount } from "./payment-amount.ts";

const place = { package: walletPaymentsPackage, module: "Splice.Wallet.Subscriptions" } as const;

export const SubscriptionData = record("SubscriptionData", {
  sender: party,
  receiver: party,
  provider: party,
  dso: party,
  description: text,
});
export type SubscriptionData = ValueOf<typeof SubscriptionData>;

export const SubscriptionPayData = record("SubscriptionPayData", {
  paymentAmount: PaymentAmount,
  paymentInterval: RelTime,
  /** The time before the due date from which paying is allowed. */
  paymentDuration: RelTime,
});
export type SubscriptionPayData = ValueOf<typeof SubscriptionPayData>;

const makePayment = {
  inputs: list(TransferInput),
  context: PaymentTransferContext,
  walletProvider: party,
} as const;
const PaymentMade = record({ subscriptionPayment: contractId, senderChange: optional(contractId) });
const Terminated = record({ terminatedSubscription: contractId });
const Refunded = record({ amuletSum: AmuletCreateSummary });
const RefundedRenewal = record({ subscriptionState: contractId, amuletSum: AmuletCreateSummary });

export const SubscriptionRequest = declareTemplate({
  ...place,
  entity: "SubscriptionRequest",
  fields: { subscriptionData: SubscriptionData, payData: SubscriptionPayData },
  choices: {
    SubscriptionRequest_AcceptAndMakePayment: consuming(makePayment, PaymentMade),
    SubscriptionRequest_Withdraw: consuming({}, Terminated),
    SubscriptionRequest_Reject: consuming({}, Terminated),
  },
});
export type SubscriptionRequest = ValueOf<(typeof SubscriptionRequest)["record"]>;

export const SubscriptionInitialPayment = declareTemplate({
  ...place,
  entity: "SubscriptionInitialPayment",
  fields: {
    subscriptionData: SubscriptionData,
    payData: SubscriptionPayData,
    targetAmount: numeric,
    lockedAmulet: contractId,
    round: Round,
    reference: contractId,
  },
  choices: {
    SubscriptionInitialPayment_Collect: consuming(
      { transferContext: AppTransferContext },
      record({ subscription: contractId, subscriptionState: contractId, amulet: contractId }),
    ),
    SubscriptionInitialPayment_Reject: consuming({ transferContext: AppTransferContext }, Refunded),
    SubscriptionInitialPayment_Expire: consuming(
      { actor: party, transferContext: AppTransferContext },
      Refunded,
    ),
  },
});
export type SubscriptionInitialPayment = ValueOf<(typeof SubscriptionInitialPayment)["record"]>;

export const Subscription = declareTemplate({
  ...place,
  entity: "Subscription",
  fields: { subscriptionData: SubscriptionData, reference: contractId },
  choices: { Subscription_Archive: consuming({}, Terminated) },
});
export type Subscription = ValueOf<(typeof Subscription)["record"]>;

export const SubscriptionIdleState = declareTemplate({
  ...place,
  entity: "SubscriptionIdleState",
  fields: {
    subscription: contractId,
    subscriptionData: SubscriptionData,
    payData: SubscriptionPayData,
    nextPaymentDueAt: time,
    reference: contractId,
  },
  choices: {
    SubscriptionIdleState_MakePayment: consuming(makePayment, PaymentMade),
    SubscriptionIdleState_ExpireSubscription: consuming({ actor: party }, Terminated),
    SubscriptionIdleState_CancelSubscription: consuming({}, Terminated),
  },
});
export type SubscriptionIdleState = ValueOf<(typeof SubscriptionIdleState)["record"]>;

export const SubscriptionPayment = declareTemplate({
  ...place,
  entity: "SubscriptionPayment",
  fields: {
    subscription: contractId,
    subscriptionData: SubscriptionData,
    payData: SubscriptionPayData,
    thisPaymentDueAt: time,
    targetAmount: numeric,
    lockedAmulet: contractId,
    round: Round,
    reference: contractId,
  },
  choices: {
    SubscriptionPayment_Collect: consuming(
      { transferContext: AppTransferContext },
      record({ subscriptionState: contractId, amulet: contractId }),
    ),
    SubscriptionPayment_Reject: consuming({ transferContext: AppTransferContext }, RefundedRenewal),
    SubscriptionPayment_Expire: consuming(
      { actor: party, transferContext: AppTransferContext },
      RefundedRenewal,
    ),
  },
});
export type SubscriptionPayment = ValueOf<(typeof SubscriptionPayment)["record"]>;

export const TerminatedSubscription = declareTemplate({
  ...place,
  entity: "TerminatedSubscription",
  fields: { subscriptionData: SubscriptionData, reference: contractId },
});
