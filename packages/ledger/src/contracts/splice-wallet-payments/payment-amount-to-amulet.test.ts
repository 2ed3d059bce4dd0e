import { expect, test } from "vitest";
import { decimal, formatDecimal } from "../../values/decimal.ts";
import { paymentAmountToAmulet } from "./payment-amount-to-amulet.ts";

test.each([
  ["1.0", "0.005", "200.0000000000"],
  ["1.0", "2.0", "0.5000000000"],
  ["1.0", "1.0", "1.0000000000"],
  ["1.0", "0.5", "2.0000000000"],
  ["1.0", "0.3", "3.3333333333"],
  ["2.0", "0.3", "6.6666666667"],
  // Exactly between two values the even one is taken.
  ["0.0000000001", "2.0", "0.0000000000"],
  ["0.0000000003", "2.0", "0.0000000002"],
  ["0.0000000005", "2.0", "0.0000000002"],
])("%s dollars at a price of %s are %s coins", (amount, price, coins) => {
  const inDollars = { amount: decimal(amount), unit: "USDUnit" } as const;
  expect(formatDecimal(paymentAmountToAmulet(inDollars, decimal(price)))).toBe(coins);
});

test("an amount in coin is what it says, whatever the price", () => {
  const inCoin = { amount: decimal("12.0"), unit: "AmuletUnit" } as const;
  expect(paymentAmountToAmulet(inCoin, decimal("0.3"))).toBe(decimal("12.0"));
});

test("a unit of a later version aborts", () => {
  const unknown = { amount: decimal("12.0"), unit: "ExtUnit" } as const;
  expect(() => paymentAmountToAmulet(unknown, decimal("1.0"))).toThrow(
    "ExtUnit: bare extension constructors are not allowed at runtime",
  );
});
