import { expect, test } from "vitest";
import { showCoin, showDay, showDecimal, showDistance, showLength, showPercent, showUsd } from "./format.ts";

test.each([
  ["200.0000000000", "en", "200"],
  ["0.0000000001", "en", "0.0000000001"],
  ["1234567.5000000000", "en", "1,234,567.5"],
  ["1234567.5000000000", "de", "1.234.567,5"],
  ["-3.10", "en", "-3.1"],
  ["9007199254740993.0000000001", "en", "9,007,199,254,740,993.0000000001"],
])("%s in %s reads %s, exactly", (amount, language, text) => {
  expect(showDecimal(amount, language)).toBe(text);
});

test("a decimal is rounded only where that is asked for", () => {
  expect(showDecimal("1.23456", "en", { max: 2 })).toBe("1.23");
  expect(showDecimal("1.23456", "en")).toBe("1.23456");
});

test.each(["", "abc", "1e9", "1.", "<b>1</b>", "NaN"])("%j is no decimal and stays as it is", (text) => {
  expect(showDecimal(text, "en")).toBe(text);
  expect(showUsd(text, "en")).toBe(text);
});

test("dollars have two digits or as many as they need", () => {
  expect(showUsd("1.0000000000", "en")).toBe("$1.00");
  expect(showUsd("0.0050000000", "en")).toBe("$0.005");
});

test.each([
  ["0.05", "5%"],
  ["0.0", "0%"],
  ["0.001", "0.1%"],
  ["abc", "abc"],
])("the share %s reads %s", (share, text) => {
  expect(showPercent(share, "en")).toBe(text);
});

test("coin has its acronym behind it, on the same line", () => {
  expect(showCoin("200.0000000000", "CC", "en")).toBe("200\u00a0CC");
});

test("a day is one of UTC wherever the reader is", () => {
  expect(showDay("2026-01-31", "en")).toBe("Jan 31, 2026");
});

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

test.each([
  [NOW + 24 * 90 * HOUR, "in 90 days"],
  [NOW + 24 * 90 * HOUR - 1000, "in 90 days"],
  [NOW + 30 * HOUR, "in 30 hours"],
  [NOW - 3 * 60_000, "3 minutes ago"],
  [NOW, "now"],
])("%d reads %s", (time, text) => {
  expect(showDistance(time, NOW, "en")).toBe(text);
});

test("lengths are in their largest unit", () => {
  expect(showLength(24 * 90 * HOUR, "en")).toBe("90 days");
  expect(showLength(600_000, "de")).toBe("10 Minuten");
});
