/** Decides if a subscription is to be paid now, by the copy of the ledger. */
import {
  AnsEntry,
  AnsEntryContext,
  decideAutoRenewal,
  isVisible,
  type SubscriptionIdleState,
} from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";

export type PaymentDecision = ReturnType<typeof decideAutoRenewal>;

export async function decideRenewalPayment(
  store: WalletStore,
  { payload, owner }: WalletContract<SubscriptionIdleState>,
  { now, autoRenew }: { readonly now: bigint; readonly autoRenew: boolean },
): Promise<PaymentDecision> {
  const { nextPaymentDueAt, payData, subscriptionData, reference } = payload;
  const isForName = subscriptionData.provider === subscriptionData.dso;
  const hasLiveEntry = async () => {
    const [context] = await store.list(AnsEntryContext, { owner, reference }, 1);
    if (context === undefined) return false;
    const entries = await store.list(AnsEntry, { owner, entry: context.payload.name });
    return entries.some((entry) => isVisible({ expiresAt: entry.payload.expiresAt, now }));
  };
  return decideAutoRenewal({
    now,
    nextPaymentDueAt,
    paymentDuration: payData.paymentDuration.microseconds,
    autoRenew,
    entryExpired: isForName && !(await hasLiveEntry()),
  });
}
