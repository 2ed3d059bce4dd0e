/** The sum of an application's request, whose receivers may be paid in dollars and in coin. */
import { addAmounts } from "../register/amounts.ts";
import { listAt } from "../register/payload-fields.ts";
import { type Price, priceOf } from "../register/payment-amount.ts";

export function totalOf(payload: unknown, coinPrice: string | null): Price {
  const prices = listAt(payload, "receiverAmounts").map((each) => priceOf(each, coinPrice, "amount"));
  return { usd: sumOf(prices.map(({ usd }) => usd)), coin: sumOf(prices.map(({ coin }) => coin)) };
}

/** Null if one of them is unknown. */
function sumOf(amounts: readonly (string | null)[]): string | null {
  return amounts.reduce<string | null>(
    (total, amount) => (total === null || amount === null ? null : addAmounts(total, amount)),
    "0",
  );
}
