import { describe, expect, test } from "vitest";
import { InterpretationFailure } from "../../../engine/failure.ts";
import { decimal } from "../../../values/decimal.ts";
import { MAX_INT64 } from "../../../values/int64.ts";
import { expiryRound } from "./coin-expiry.ts";

const coin = (initialAmount: string, rate: string, createdAt: bigint) => ({
  initialAmount: decimal(initialAmount),
  createdAt: { number: createdAt },
  ratePerRound: { rate: decimal(rate) },
});

describe("the round in which a coin is used up", () => {
  test.each([
    // A dollar's worth at 0.005, at a dollar a year: a year of ten-minute rounds.
    { amount: "200.0", rate: "0.0038051800", createdAt: 0n, expires: 52_560n },
    { amount: "200.0", rate: "0.0038051800", createdAt: 28n, expires: 52_588n },
    // 3.5 rounds' worth is used up in the fourth.
    { amount: "0.0133181300", rate: "0.0038051800", createdAt: 1n, expires: 5n },
    { amount: "0.0038051800", rate: "0.0038051800", createdAt: 1n, expires: 2n },
    { amount: "0.0038051801", rate: "0.0038051800", createdAt: 1n, expires: 3n },
    { amount: "0.0000000001", rate: "1.0", createdAt: 7n, expires: 8n },
    { amount: "5.0", rate: "2.0", createdAt: 0n, expires: 3n },
  ])("$amount at $rate from round $createdAt on: $expires", ({ amount, rate, createdAt, expires }) => {
    expect(expiryRound(coin(amount, rate, createdAt))).toBe(expires);
  });

  // 46116860184273.879035 ÷ 0.000005 is 2⁶³ − 1, the largest round number.
  test.each([
    { amount: "46116860184273.879035", createdAt: 0n, expires: MAX_INT64 },
    { amount: "46116860184273.87903", createdAt: 1n, expires: MAX_INT64 },
    { amount: "46116860184273.87903", createdAt: 0n, expires: MAX_INT64 - 1n },
    { amount: "26116860184273.879035", createdAt: 4_000_000_000_000_000_000n, expires: MAX_INT64 },
  ])("is at most the largest there is: $amount from $createdAt", ({ amount, createdAt, expires }) => {
    expect(expiryRound(coin(amount, "0.000005", createdAt))).toBe(expires);
  });

  test.each([
    { why: "the sum of rounds overflows", amount: "46116860184273.879035", createdAt: 1n },
    {
      why: "the sum of rounds overflows late",
      amount: "26116860184273.87904",
      createdAt: 4_000_000_000_000_000_000n,
    },
    { why: "the number of rounds overflows", amount: "46116860184273.87904", createdAt: 0n },
    { why: "the rest of a round overflows", amount: "46116860184273.8790350001", createdAt: 0n },
    {
      why: "the quotient comes close to the largest decimal",
      amount: "49999999999999999999999.9999999999",
      createdAt: 0n,
    },
    { why: "the quotient overflows", amount: "999999999999999999999999999.9999999999", createdAt: 0n },
  ])("is never if $why", ({ amount, createdAt }) => {
    expect(expiryRound(coin(amount, "0.000005", createdAt))).toBeNull();
  });

  test("is never for the largest amount at the smallest rate", () => {
    expect(expiryRound(coin(`${"9".repeat(28)}.9999999999`, "0.0000000001", 0n))).toBeNull();
  });

  test("a rate of one or more cannot overflow the quotient", () => {
    expect(expiryRound(coin(`${"9".repeat(28)}.0`, "1.0", 0n))).toBeNull();
    expect(expiryRound(coin("9223372036854775807.0", "1.0", 0n))).toBe(MAX_INT64);
    expect(expiryRound(coin("100.0", "11.0", 0n))).toBe(10n);
  });

  test("has no answer without a holding fee: asking aborts", () => {
    expect(() => expiryRound(coin("1.0", "0.0", 0n))).toThrow(InterpretationFailure);
  });
});
