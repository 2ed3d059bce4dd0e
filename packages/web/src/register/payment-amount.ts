/** An amount of a contract, in dollars or in coin, and the coin that it takes now. */
import { coinOfUsd, usdOfCoin } from "./amounts.ts";
import { textAt } from "./payload-fields.ts";

export interface Price {
  /** Null for a unit that the wallet does not know. */
  readonly usd: string | null;
  readonly coin: string | null;
}

/** A price is fixed in one unit; the other follows from the round and is null while that is unknown. */
export function priceOf(payload: unknown, coinPrice: string | null, ...path: readonly string[]): Price {
  const amount = textAt(payload, ...path, "amount");
  switch (textAt(payload, ...path, "unit")) {
    case "USDUnit":
      return { usd: amount, coin: coinPrice === null ? null : coinOfUsd(amount, coinPrice) };
    case "AmuletUnit":
      return { usd: coinPrice === null ? null : usdOfCoin(amount, coinPrice), coin: amount };
    default:
      return { usd: null, coin: null };
  }
}
