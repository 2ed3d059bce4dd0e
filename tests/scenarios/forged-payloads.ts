/** Contracts that a party can create alone with the DSO's name in them: a subscription to itself, and a payment for it. */
import type { PayloadOf } from "../../packages/ledger/src/engine/declaration.ts";
import type { ContractId, PartyId, SubscriptionInitialPayment } from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";

export function ownSubscription(party: PartyId, dso: PartyId) {
  return { sender: party, receiver: party, provider: party, dso, description: "mine" };
}

/** It names a request, also as the coin that it would have locked. */
export function ownPayment(
  subscriptionData: ReturnType<typeof ownSubscription>,
  request: ContractId,
  round: bigint,
): PayloadOf<typeof SubscriptionInitialPayment> {
  return {
    subscriptionData,
    payData: {
      paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" },
      paymentInterval: { microseconds: 1n },
      paymentDuration: { microseconds: 1n },
    },
    targetAmount: decimal("1.0"),
    lockedAmulet: request,
    round: { number: round },
    reference: request,
  };
}
