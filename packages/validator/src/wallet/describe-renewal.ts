/** A renewal that lacks coin, as the operator sees it: the entry, its end, the coin that it needs and the coin there. */
import {
  AnsEntry,
  AnsEntryContext,
  divide,
  formatInstant,
  type SubscriptionIdleState,
} from "@callsign/ledger";
import type { TaskDetails } from "@callsign/node";
import type { WalletContract } from "../store/contract-rows.ts";
import { formatCoin } from "./balance.ts";
import { sumCoins } from "./traffic-cost.ts";
import type { WalletParts } from "./wallet-ledger.ts";

/** A subscription to something else than a name has no `name`, and ends when it is not paid. */
export async function describeRenewal(
  { store, facts }: Pick<WalletParts, "store" | "facts">,
  { owner, payload }: WalletContract<SubscriptionIdleState>,
): Promise<TaskDetails> {
  const { payData, reference, nextPaymentDueAt } = payload;
  const [context] = await store.list(AnsEntryContext, { owner, reference }, 1);
  const name = context?.payload.name;
  const [entry] = name === undefined ? [] : await store.list(AnsEntry, { owner, entry: name }, 1);
  const { amount, unit } = payData.paymentAmount;
  const { amuletPrice } = (await facts.usableRound()).payload;
  const needed = unit === "AmuletUnit" ? amount : divide(amount, amuletPrice);
  return {
    ...(name === undefined ? {} : { name }),
    ends_at: formatInstant(entry?.payload.expiresAt ?? nextPaymentDueAt),
    coin_needed: formatCoin(needed),
    coin_available: formatCoin(await sumCoins(store, owner)),
  };
}
