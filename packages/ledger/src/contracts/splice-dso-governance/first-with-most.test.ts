import { expect, test } from "vitest";
import { firstWithMost } from "./first-with-most.ts";

test.each([
  [["a1"], "a1"],
  [["a1", "b2"], "b2"],
  [["a2", "b1"], "a2"],
  [["a1", "b2", "c2", "d0"], "b2"],
])("of %j, %s is the first with most", (values, first) => {
  expect(firstWithMost(values, (value) => BigInt(value.slice(1)))).toBe(first);
});

test("the first of an empty list aborts", () => {
  expect(() => firstWithMost([], () => 0n)).toThrow("empty list");
});
