/** A wallet's balance. Coin is spendable in full; the holding fee only tells what its age would cost. */
import type { Balance } from "@callsign/api";
import {
  Amulet,
  type Decimal,
  decimalFromUnits,
  formatDecimal,
  holdingFee,
  isDecimalUnits,
  LockedAmulet,
} from "@callsign/ledger";
import { MAX_COINS } from "../limits/limits.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

/** The largest amount that the ledger holds. On a DevNet the sum of coins may exceed it. */
export const LARGEST_AMOUNT: Decimal = decimalFromUnits(10n ** 38n - 1n);

export async function getBalance({ store, facts }: WalletParts, { party }: Wallet): Promise<Balance> {
  const { payload } = await facts.usableRound();
  const round = payload.round.number;
  const coins = (await store.list(Amulet, { owner: party }, MAX_COINS)).map((coin) => coin.payload.amount);
  const locked = (await store.list(LockedAmulet, { owner: party }, MAX_COINS)).map(
    (coin) => coin.payload.amulet.amount,
  );
  return {
    round: Number(round),
    effective_unlocked_qty: formatTotal(coins.map(({ initialAmount }) => initialAmount)),
    effective_locked_qty: formatTotal(locked.map(({ initialAmount }) => initialAmount)),
    total_holding_fees: formatTotal(coins.map((coin) => holdingFee(coin, round))),
  };
}

function formatTotal(amounts: readonly Decimal[]): string {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return formatCoin(total);
}

/** A sum that exceeds the largest amount is shown as that one. */
export function formatCoin(units: bigint): string {
  return formatDecimal(isDecimalUnits(units) ? units : LARGEST_AMOUNT);
}
