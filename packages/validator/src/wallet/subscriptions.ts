/** Running subscriptions: list them, cancel one, switch automatic renewal, pay a renewal. */
import type { SubscriptionListItem } from "@callsign/api";
import {
  type ContractId,
  formatTime,
  isVisible,
  RenewalPreference,
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
  timeFromMicros,
  WalletAppInstall,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { create, exercise } from "../ledger/commands.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { wireContract } from "../store/wire-contract.ts";
import { actOnceOn, type OnceAction, type OnceParts } from "./act-once.ts";
import { decideRenewalPayment } from "./decide-renewal-payment.ts";
import { getOwned, notFound } from "./get-owned.ts";
import type { Asker } from "./treasury.ts";
import type { Wallet } from "./wallet.ts";
import { type CoinOperation, getCreated, type Stale, type WalletParts } from "./wallet-ledger.ts";

const IDLE = "idle subscription";

/** Lists subscriptions, without those past their due date. */
export async function listSubscriptions(
  { store, clock, facts }: WalletParts,
  { party }: Wallet,
): Promise<SubscriptionListItem[]> {
  const items: SubscriptionListItem[] = [];
  const subscriptions = await store.list(Subscription, { owner: party });
  if (subscriptions.length > 0) await facts.refreshTime();
  for (const subscription of subscriptions) {
    const state = await findState(store, subscription.contractId, party);
    if (state === undefined) continue;
    if ("idle" in state && !isVisible({ expiresAt: state.idle.payload.nextPaymentDueAt, now: clock.now }))
      continue;
    items.push({
      subscription: wireContract(Subscription, subscription),
      state:
        "idle" in state
          ? { idle: wireContract(SubscriptionIdleState, state.idle) }
          : { payment: wireContract(SubscriptionPayment, state.payment) },
      auto_renewal: await renewsItself(store, party, subscription.payload.reference),
    });
  }
  return items;
}

/** True unless a preference of the subscriber switches renewal off. */
export async function renewsItself(
  store: WalletStore,
  party: string,
  reference: ContractId,
): Promise<boolean> {
  const preferences = await store.list(RenewalPreference, { owner: party, link: reference });
  return preferences.every(({ payload }) => payload.autoRenew);
}

/** Cancels a subscription by the id of its idle state, as in Splice. */
export async function cancelSubscription(
  parts: OnceParts,
  wallet: Wallet,
  contractId: string,
): Promise<undefined> {
  const choice = "WalletAppInstall_SubscriptionIdleState_CancelSubscription";
  const action: OnceAction<WalletContract<SubscriptionIdleState>> = {
    ...{ operation: "cancelSubscriptionRequest", what: IDLE, contractId },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(WalletAppInstall, wallet.install, choice, { cid })],
    }),
  };
  await actOnceOn(parts, wallet, action, () => getIdle(parts.store, wallet, contractId));
}

async function getIdle(
  store: WalletStore,
  wallet: Wallet,
  contractId: string,
): Promise<WalletContract<SubscriptionIdleState>> {
  const payment = await store.find(SubscriptionPayment, contractId);
  if (payment?.owner === wallet.party) throw new ValidatorError({ kind: "renewal-pending" });
  return await getOwned(store, wallet, { template: SubscriptionIdleState, contractId, what: IDLE });
}

export async function setAutoRenewal(
  { store, ledger, treasury, operatorParty: walletProvider }: WalletParts,
  wallet: Wallet,
  { subscriptionId, autoRenew }: { readonly subscriptionId: string; readonly autoRenew: boolean },
): Promise<void> {
  const { reference } = (await getSubscription(store, wallet, subscriptionId)).payload;
  // The wallet's queue runs one call at a time, so that two concurrent calls do not create two preferences.
  await treasury.run(wallet.party, async () => {
    await ledger.requireCopy();
    if ((await renewsItself(store, wallet.party, reference)) === autoRenew) return;
    await ledger.submitAs("user", wallet.party, async () => {
      const preferences = await store.list(RenewalPreference, { owner: wallet.party, link: reference });
      const differing = preferences.filter((each) => each.payload.autoRenew !== autoRenew);
      const first = { subscriber: wallet.party, walletProvider, reference, autoRenew } as RenewalPreference;
      return {
        commands:
          preferences.length === 0
            ? [create(RenewalPreference, first)]
            : differing.map(({ contractId }) =>
                exercise(RenewalPreference, contractId, "RenewalPreference_Set", { autoRenew }),
              ),
      };
    });
  });
}

/** Pays a renewal that is due. Paying again, while the payment is pending, gives that payment. */
export async function paySubscription(
  parts: WalletParts,
  wallet: Wallet,
  subscriptionId: string,
): Promise<ContractId> {
  const { store, clock, facts } = parts;
  await getSubscription(store, wallet, subscriptionId);
  const state = await findState(store, subscriptionId, wallet.party);
  if (state !== undefined && "payment" in state) return state.payment.contractId;
  if (state === undefined) throw notFound("subscription", subscriptionId);
  const decide = () => decideRenewalPayment(store, state.idle, { now: clock.now, autoRenew: true });
  let decision = await decide();
  if (decision.kind === "wait") {
    await facts.observeTime();
    decision = await decide();
  }
  if (decision.kind === "wait")
    throw new ValidatorError({
      kind: "renewal-too-early",
      from: formatTime(timeFromMicros(decision.from)),
    });
  if (decision.kind === "never") throw new ValidatorError({ kind: "not-renewable", reason: decision.reason });
  const { contractId: idleState } = state.idle;
  const paid = await payRenewal(parts, wallet, { idleState });
  if (paid === "stale") throw notFound(IDLE, idleState);
  return paid;
}

/** Resolves to `stale` if the subscription is no longer idle. */
export async function payRenewal(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  { idleState, asker = "user" }: { readonly idleState: ContractId; readonly asker?: Asker },
): Promise<ContractId | Stale> {
  const makePayment = async (): Promise<CoinOperation | Stale> => {
    const idle = await store.find(SubscriptionIdleState, idleState);
    if (idle === undefined || idle.owner !== wallet.party) return "stale";
    const { nextPaymentDueAt, payData } = idle.payload;
    return {
      operation: { tag: "CO_SubscriptionMakePayment", value: idle.contractId },
      notBefore: timeFromMicros(nextPaymentDueAt - payData.paymentDuration.microseconds),
    };
  };
  const transaction = await ledger.runOperation(wallet, makePayment, { asker });
  return transaction === "stale" ? transaction : getCreated(transaction, SubscriptionPayment);
}

function getSubscription(
  store: WalletStore,
  wallet: Wallet,
  subscriptionId: string,
): Promise<WalletContract<Subscription>> {
  return getOwned(store, wallet, {
    template: Subscription,
    contractId: subscriptionId,
    what: "subscription",
  });
}

type State =
  | { readonly idle: WalletContract<SubscriptionIdleState> }
  | { readonly payment: WalletContract<SubscriptionPayment> };

async function findState(
  store: WalletStore,
  subscriptionId: string,
  owner: string,
): Promise<State | undefined> {
  const [idle] = await store.list(SubscriptionIdleState, { owner, reference: subscriptionId }, 1);
  if (idle !== undefined) return { idle };
  const [payment] = await store.list(SubscriptionPayment, { owner, reference: subscriptionId }, 1);
  return payment === undefined ? undefined : { payment };
}
