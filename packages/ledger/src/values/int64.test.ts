import fc from "fast-check";
import { expect, test } from "vitest";
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { int64, isInt64, MAX_INT64, MIN_INT64, parseInt64 } from "./int64.ts";

test.each([
  ["0", 0n],
  ["-0", 0n],
  ["42", 42n],
  ["-42", -42n],
  ["007", 7n],
  ["9223372036854775807", 9_223_372_036_854_775_807n],
  ["-9223372036854775808", -9_223_372_036_854_775_808n],
])("%s is an integer", (given, expected) => {
  expect(parseInt64(given)).toEqual({ ok: true, value: expected });
});

test.each([
  "",
  "-",
  "+1",
  " 1",
  "1 ",
  "1\n",
  "1.0",
  "1e3",
  "0x10",
  "1_000",
  "١",
  "9223372036854775808",
  "-9223372036854775809",
  "9".repeat(19),
  "0".repeat(20),
  "1".repeat(1_000_000),
])("%j is not an integer", (given) => {
  expect(parseInt64(given).ok).toBe(false);
});

test("a refusal names what was given and the bounds", () => {
  expect(parseInt64("1.0")).toEqual({
    ok: false,
    error:
      'integer "1.0" is not valid: an integer lies between -9223372036854775808 and 9223372036854775807.',
  });
});

test("arithmetic fails one beyond the bounds", () => {
  expect(int64(9_223_372_036_854_775_807n)).toBe(MAX_INT64);
  expect(int64(-9_223_372_036_854_775_808n)).toBe(MIN_INT64);
  expect(() => int64(MAX_INT64 + 1n)).toThrow(ArithmeticFailure);
  expect(() => int64(MIN_INT64 - 1n)).toThrow("-9223372036854775809 does not fit 64 bits");
  expect(() => int64(2n ** 64n)).toThrow(ArithmeticFailure);
});

test("isInt64 holds exactly within the bounds", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }), (value) => {
      expect(isInt64(value)).toBe(value >= MIN_INT64 && value <= MAX_INT64);
    }),
  );
});
