import { expect, test } from "vitest";
import { InterpretationFailure } from "../../engine/failure.ts";
import { decimal, formatDecimal } from "../../values/decimal.ts";
import { median } from "./median.ts";

test.each([
  [["1.0"], "1.0000000000"],
  [["3.0", "1.0", "2.0"], "2.0000000000"],
  [["1.0", "2.0"], "1.5000000000"],
  [["4.0", "1.0", "3.0", "2.0"], "2.5000000000"],
  [["0.005", "0.005", "0.005", "100.0"], "0.0050000000"],
  [["10.0", "9.0", "100.0"], "10.0000000000"],
  // The mean of two neighbours does not fit ten digits: half goes to the even one, down here and up there.
  [["0.0000000001", "0.0000000002"], "0.0000000002"],
  [["0.0000000002", "0.0000000003"], "0.0000000002"],
  [["0.0000000003", "0.0000000004"], "0.0000000004"],
])("the median of %j is %s", (values, expected) => {
  expect(formatDecimal(median(values.map(decimal)))).toBe(expected);
});

test("the median of no prices aborts", () => {
  expect(() => median([])).toThrow(InterpretationFailure);
  expect(() => median([])).toThrow("median: not defined for the empty list");
});

test("the median leaves the given prices in their order", () => {
  const prices = [decimal("3.0"), decimal("1.0"), decimal("2.0")];
  median(prices);
  expect(prices.map(formatDecimal)).toEqual(["3.0000000000", "1.0000000000", "2.0000000000"]);
});
