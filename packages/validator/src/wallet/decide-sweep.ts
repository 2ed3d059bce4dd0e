/**
 * Decides how much coin a sweep sends. All numbers are exact: a balance is compared with its limit without rounding,
 * and the coin that stays is the least whose value is the lower limit or more.
 */
import { type Decimal, decimalFromUnits, ONE } from "@callsign/ledger";
import { LARGEST_AMOUNT } from "./balance.ts";

export interface SweepBalance {
  /** The sender's unlocked coin, and the part of it that open offers may still take; in units of a `Decimal`. */
  readonly coin: bigint;
  readonly outstanding: bigint;
  /** Dollars for a coin. */
  readonly price: Decimal;
}

export interface SweepLimits {
  readonly maxBalanceUsd: Decimal;
  readonly minBalanceUsd: Decimal;
}

/** The coin to send; null if the balance is within its limit. */
export function decideSweep(
  { coin, outstanding, price }: SweepBalance,
  { maxBalanceUsd, minBalanceUsd }: SweepLimits,
): Decimal | null {
  const free = coin - outstanding;
  if (free * price <= maxBalanceUsd * ONE) return null;
  const amount = free - leastCoinWorth(minBalanceUsd, price);
  if (amount <= 0n) return null;
  return amount > LARGEST_AMOUNT ? LARGEST_AMOUNT : decimalFromUnits(amount);
}

/** The least coin that is worth so many dollars, in units of a `Decimal`. */
export function leastCoinWorth(dollars: Decimal, price: Decimal): bigint {
  return (dollars * ONE + price - 1n) / price;
}
