import { expect, test } from "vitest";
import { describeJson, isJsonObject } from "./json-value.ts";

test.each([
  [null, "null"],
  [undefined, "nothing"],
  [[1, 2], "an array"],
  [{ a: 1 }, "an object"],
  ["a", 'string "a"'],
  ["x".repeat(1_000_000), `string "${"x".repeat(80)}"… (1000000 characters)`],
  [1.5, "number 1.5"],
  [1e300, "number 1e+300"],
  [Number.NaN, "number NaN"],
  [true, "boolean true"],
  // JSON has none of these, but a caller in TypeScript may hand them over.
  [10n, "a bigint"],
  [Symbol("s"), "a symbol"],
  [() => 1, "a function"],
])("%# is described in a word or two", (json, description) => {
  expect(describeJson(json)).toBe(description);
});

test("an object is neither an array nor null", () => {
  expect([{}, Object.create(null), JSON.parse('{"__proto__":1}')].map(isJsonObject)).toEqual([
    true,
    true,
    true,
  ]);
  expect([[], null, "{}", 1, undefined].some(isJsonObject)).toBe(false);
});
