/** The cost of traffic in coin, rounded as the ledger rounds it, and the coin that a wallet could pay it with. */
import { Amulet, type Decimal, decimalFromUnits, divide, multiply, ONE } from "@callsign/ledger";
import { MAX_COINS } from "../limits/limits.ts";
import type { WalletStore } from "../store/wallet-store.ts";

export interface TrafficPurchase {
  readonly bytes: bigint;
  /** The price of a megabyte in dollars. */
  readonly price: Decimal;
}

export function trafficCostOf({ bytes, price }: TrafficPurchase, amuletPrice: Decimal): Decimal {
  const megabytes = divide(decimalFromUnits(bytes * ONE), decimalFromUnits(1_000_000n * ONE));
  return divide(multiply(megabytes, price), amuletPrice);
}

/** The sum of a party's coins as a plain number: on a DevNet it may exceed the largest amount. */
export async function sumCoins(store: WalletStore, owner: string): Promise<bigint> {
  const coins = await store.list(Amulet, { owner }, MAX_COINS);
  return coins.reduce((total, { payload }) => total + payload.amount.initialAmount, 0n);
}
