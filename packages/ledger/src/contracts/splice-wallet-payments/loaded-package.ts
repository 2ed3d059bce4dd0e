import type { LoadedPackage } from "../../engine/catalogue.ts";
import { walletPaymentsPackage } from "../packages.ts";
import { acceptedAppPayment } from "./accepted-app-payment.ts";
import { appPaymentRequest } from "./app-payment-request.ts";
import { subscription } from "./subscription.ts";
import { subscriptionIdleState } from "./subscription-idle-state.ts";
import { subscriptionInitialPayment } from "./subscription-initial-payment.ts";
import { subscriptionPayment } from "./subscription-payment.ts";
import { subscriptionRequest } from "./subscription-request.ts";
import { terminatedAppPayment } from "./terminated-app-payment.ts";
import { terminatedSubscription } from "./terminated-subscription.ts";

export const walletPayments: LoadedPackage = {
  package: walletPaymentsPackage,
  templates: [
    subscriptionRequest,
    subscriptionInitialPayment,
    subscription,
    subscriptionIdleState,
    subscriptionPayment,
    terminatedSubscription,
    appPaymentRequest,
    acceptedAppPayment,
    terminatedAppPayment,
  ],
  interfaces: [],
};
