import { describe, expect, test } from "vitest";
import { decimal } from "../../../values/decimal.ts";
import { holdingFeeInCoin, isValidExpiringAmount, valueAsOfRoundZero } from "./expiring-amount.ts";

const amount = (initialAmount: string, createdAt: bigint, rate: string) => ({
  initialAmount: decimal(initialAmount),
  createdAt: { number: createdAt },
  ratePerRound: { rate: decimal(rate) },
});

describe("a coin's amount", () => {
  test.each([
    [amount("0.0000000001", 0n, "0.0"), true],
    [amount("0.0", 0n, "0.0"), false],
    [amount("-1.0", 0n, "0.0"), false],
    [amount("1.0", -1n, "0.0"), false],
    [amount("1.0", 0n, "-0.0000000001"), false],
  ])("%o is valid: %s", (given, valid) => {
    expect(isValidExpiringAmount(given)).toBe(valid);
  });

  test("as of round zero counts the rounds before its own", () => {
    expect(valueAsOfRoundZero(amount("10.0", 3n, "0.5"))).toBe(decimal("11.5"));
    expect(valueAsOfRoundZero(amount("10.0", 0n, "0.5"))).toBe(decimal("10.0"));
  });
});

describe("the holding fee in coin", () => {
  test.each([
    { price: "0.005", fee: "0.0000190259", coin: "0.0038051800" },
    { price: "1.0", fee: "0.0000190259", coin: "0.0000190259" },
    // 1 ÷ 3.7 = 0.2702702703, times 0.0000190259 = 0.00000514213…
    { price: "3.7", fee: "0.0000190259", coin: "0.0000051421" },
    // The inverse is rounded before it multiplies: 3 × 3.3333333333.
    { price: "0.3", fee: "1.0", coin: "3.3333333333" },
    { price: "0.3", fee: "3.0", coin: "9.9999999999" },
    { price: "0.005", fee: "0.0", coin: "0.0" },
  ])("$fee dollars at $price are $coin", ({ price, fee, coin }) => {
    expect(holdingFeeInCoin({ rate: decimal(fee) }, decimal(price))).toEqual({ rate: decimal(coin) });
  });

  test("has no value at a price of zero", () => {
    expect(() => holdingFeeInCoin({ rate: decimal("1.0") }, decimal("0.0"))).toThrow("divided by zero");
  });
});
