import { expect, test } from "vitest";
import {
  addAmounts,
  coinOfUsd,
  compareAmounts,
  isNegative,
  readTypedAmount,
  shareOf,
  subtractAmounts,
  toCents,
  usdOfCoin,
} from "./amounts.ts";

test("sums are exact where floating numbers are not", () => {
  expect(addAmounts("0.1", "0.2")).toBe("0.3");
  expect(addAmounts("9007199254740993", "0.0000000001")).toBe("9007199254740993.0000000001");
  expect(addAmounts("200.0000000000", "0.0000000000")).toBe("200");
  expect(addAmounts()).toBe("0");
});

test("a difference may be negative", () => {
  expect(subtractAmounts("1.5", "2")).toBe("-0.5");
  expect(isNegative("-0.5")).toBe(true);
  expect(isNegative("0.0000000000")).toBe(false);
});

test("amounts are compared as numbers", () => {
  expect(compareAmounts("9", "10")).toBe(-1);
  expect(compareAmounts("1.0", "1.0000000000")).toBe(0);
  expect(compareAmounts("-1", "-2")).toBe(1);
});

test("a dollar is 200 coins at half a cent", () => {
  expect(coinOfUsd("1.0000000000", "0.0050000000")).toBe("200");
  expect(usdOfCoin("200.0000000000", "0.0050000000")).toBe("1");
});

test("coin for dollars is rounded up, dollars of coin down", () => {
  expect(coinOfUsd("1", "3")).toBe("0.3333333334");
  expect(usdOfCoin("0.0000000001", "0.5")).toBe("0");
});

test("coin without a price costs no number", () => {
  expect(coinOfUsd("1", "0.0")).toBeNull();
});

test("cents and shares are rounded up", () => {
  expect(toCents("0.0001")).toBe("0.01");
  expect(toCents("1.23")).toBe("1.23");
  expect(shareOf("1.0", 90n, 365n)).toBe("0.2465753425");
});

test.each([
  ["1", "1"],
  ["1.50", "1.5"],
  ["1,5", "1.5"],
  [" .5 ", "0.5"],
  ["0.0000000001", "0.0000000001"],
])("typed %j is %s", (typed, amount) => {
  expect(readTypedAmount(typed)).toBe(amount);
});

test.each(["", "0", "0.0", "-1", "1e3", "1,000.5", "1,000", "1,2,3", "1.12345678901", "abc", "١"])(
  "typed %j is no amount",
  (typed) => {
    expect(readTypedAmount(typed)).toBeNull();
  },
);
