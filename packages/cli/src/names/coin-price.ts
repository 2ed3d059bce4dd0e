/** Coin and dollars, in exact decimals. */
import { decimal, decimalFromUnits, formatDecimalShort, ONE } from "@callsign/ledger";

/** Dollars for an amount of coin, rounded up to a cent: a tap of so much is enough. */
export function dollarsFor(coin: string, amuletPrice: string): string {
  const cent = ONE / 100n;
  const exact = (decimal(coin) * decimal(amuletPrice)) / ONE;
  return formatDecimalShort(decimalFromUnits(((exact + cent - 1n) / cent) * cent));
}

/** The coin that is missing; null if there is enough. */
export function missingCoin({
  needed,
  available,
}: {
  readonly needed: string;
  readonly available: string;
}): string | null {
  const missing = decimal(needed) - decimal(available);
  return missing > 0n ? formatDecimalShort(decimalFromUnits(missing)) : null;
}
