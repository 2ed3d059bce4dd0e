import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import {
  add,
  ceiling,
  type Decimal,
  decimal,
  decimalFromInt,
  decimalFromUnits,
  divide,
  formatDecimal,
  formatDecimalShort,
  isDecimalUnits,
  maximum,
  minimum,
  multiply,
  ONE,
  parseDecimal,
  subtract,
  sum,
  ZERO,
} from "./decimal.ts";

const largest = decimal(`${"9".repeat(28)}.${"9".repeat(10)}`);
const smallest = decimal(`-${"9".repeat(28)}.${"9".repeat(10)}`);
const ulp = decimal("0.0000000001");

describe("a decimal reads and writes", () => {
  test.each([
    ["0", 0n, "0.0000000000", "0.0"],
    ["-0", 0n, "0.0000000000", "0.0"],
    ["-0.0", 0n, "0.0000000000", "0.0"],
    ["1", 10_000_000_000n, "1.0000000000", "1.0"],
    ["-1", -10_000_000_000n, "-1.0000000000", "-1.0"],
    ["200.0", 2_000_000_000_000n, "200.0000000000", "200.0"],
    ["0.005", 50_000_000n, "0.0050000000", "0.005"],
    ["0.0000000001", 1n, "0.0000000001", "0.0000000001"],
    ["-0.0000000001", -1n, "-0.0000000001", "-0.0000000001"],
    ["0.00380518", 38_051_800n, "0.0038051800", "0.00380518"],
    ["1000000", 10_000_000_000_000_000n, "1000000.0000000000", "1000000.0"],
    ["000012.50", 125_000_000_000n, "12.5000000000", "12.5"],
    [
      `${"9".repeat(28)}.9999999999`,
      10n ** 38n - 1n,
      `${"9".repeat(28)}.9999999999`,
      `${"9".repeat(28)}.9999999999`,
    ],
  ])("%s", (given, units, full, short) => {
    const result = parseDecimal(given);
    expect(result).toEqual({ ok: true, value: units });
    expect(formatDecimal(units as Decimal)).toBe(full);
    expect(formatDecimalShort(units as Decimal)).toBe(short);
  });

  test.each([
    "",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "--1",
    "1.",
    ".5",
    "1.12345678901",
    "1.00000000000",
    "1e3",
    "0E-10",
    "1,5",
    "0x10",
    "Infinity",
    "NaN",
    "١",
    "1".repeat(29),
    "0".repeat(29),
    "1".repeat(1_000_000),
  ])("not %j", (given) => {
    const result = parseDecimal(given);
    expect(result.ok).toBe(false);
  });

  test("a refusal names what was given and what is allowed", () => {
    expect(parseDecimal("1,5")).toEqual({
      ok: false,
      error:
        'decimal "1,5" is not valid: a decimal has an optional minus sign, 1 to 28 digits ' +
        "and at most 10 digits after a point.",
    });
  });

  test("a malformed literal in our own source throws", () => {
    expect(() => decimal("half")).toThrow('decimal "half" is not valid');
  });

  test("reading what was written gives the same value, in both forms", () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(parseDecimal(formatDecimal(value))).toEqual({ ok: true, value });
        expect(parseDecimal(formatDecimalShort(value))).toEqual({ ok: true, value });
      }),
    );
  });

  test("writing what was read gives the same text, if that has ten places and no needless zeros", () => {
    const texts = fc.stringMatching(/^(?:0|[1-9][0-9]{0,27})\.[0-9]{10}$/);
    fc.assert(
      fc.property(texts, (text) => {
        expect(formatDecimal(decimal(text))).toBe(text);
      }),
    );
  });
});

describe("products and quotients are rounded to ten places, a tie to the even digit", () => {
  test.each([
    ["0.5", "0.0000000001", "0.0"], // 0.5 units lie between 0 and 1
    ["1.5", "0.0000000001", "0.0000000002"], // 1.5 units lie between 1 and 2
    ["2.5", "0.0000000001", "0.0000000002"],
    ["3.5", "0.0000000001", "0.0000000004"],
    ["-0.5", "0.0000000001", "0.0"],
    ["-1.5", "0.0000000001", "-0.0000000002"],
    ["-2.5", "0.0000000001", "-0.0000000002"],
    ["2.5", "-0.0000000001", "-0.0000000002"],
    ["-3.5", "-0.0000000001", "0.0000000004"],
    ["2.5000000001", "0.0000000001", "0.0000000003"],
    ["2.4999999999", "0.0000000001", "0.0000000002"],
    ["-2.5000000001", "0.0000000001", "-0.0000000003"],
    ["0.00001", "0.00001", "0.0000000001"],
    ["0.0000000001", "0.0000000001", "0.0"],
    ["3", "0.3333333333", "0.9999999999"],
    ["1.1", "1.1", "1.21"],
    ["123456789.123456789", "1000", "123456789123.456789"],
  ])("%s × %s = %s", (a, b, product) => {
    expect(formatDecimalShort(multiply(decimal(a), decimal(b)))).toBe(product);
  });

  test.each([
    ["1", "3", "0.3333333333"],
    ["2", "3", "0.6666666667"],
    ["-1", "3", "-0.3333333333"],
    ["-2", "3", "-0.6666666667"],
    ["2", "-3", "-0.6666666667"],
    ["1", "0.005", "200.0"],
    ["0.0000000001", "2", "0.0"], // half a unit: to the even 0
    ["0.0000000003", "2", "0.0000000002"], // one and a half: to the even 2
    ["0.0000000005", "2", "0.0000000002"],
    ["0.0000000007", "2", "0.0000000004"],
    ["-0.0000000001", "2", "0.0"],
    ["-0.0000000003", "2", "-0.0000000002"],
    ["0.0000000005", "-2", "-0.0000000002"],
    ["-0.0000000007", "-2", "0.0000000004"],
    ["10", "4", "2.5"],
    ["0", "-7", "0.0"],
  ])("%s ÷ %s = %s", (a, b, quotient) => {
    expect(formatDecimalShort(divide(decimal(a), decimal(b)))).toBe(quotient);
  });

  test("at each operation: the order of a product and a quotient shows", () => {
    const fee = decimal("0.1");
    const price = decimal("0.3");
    // 1 ÷ 0.3 is rounded to 3.3333333333 before the fee is multiplied; 0.1 ÷ 0.3 is rounded once.
    expect(formatDecimal(multiply(fee, divide(ONE, price)))).toBe("0.3333333333");
    expect(formatDecimal(multiply(decimal("7"), divide(ONE, decimal("3"))))).toBe("2.3333333331");
    expect(formatDecimal(divide(decimal("7"), decimal("3")))).toBe("2.3333333333");
  });

  test("a product is the nearest decimal to the exact one", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        // In units of 10⁻²⁰ the exact product is a · b; a decimal r stands at r · 10¹⁰.
        expectNearest({ exact: { numerator: a * b, denominator: 10n ** 10n }, of: () => multiply(a, b) });
      }),
      { numRuns: 500 },
    );
  });

  test("a quotient is the nearest decimal to the exact one", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        if (b === 0n) return;
        expectNearest({ exact: { numerator: a * 10n ** 10n, denominator: b }, of: () => divide(a, b) });
      }),
      { numRuns: 500 },
    );
  });
});

describe("a result that does not fit is an error", () => {
  test.each([
    ["add", () => add(largest, ulp)],
    ["add, below", () => add(smallest, decimal("-0.0000000001"))],
    ["subtract", () => subtract(largest, decimal("-0.0000000001"))],
    ["subtract, below", () => subtract(smallest, ulp)],
    ["multiply", () => multiply(decimal("100000000000000"), decimal("100000000000000"))],
    ["multiply, below", () => multiply(decimal("100000000000000"), decimal("-100000000000000"))],
    ["multiply, by rounding up", () => multiply(largest, decimal("1.0000000001"))],
    ["divide", () => divide(decimal("1000000000000000000"), ulp)],
    ["divide, below", () => divide(decimal("-1000000000000000000"), ulp)],
    ["sum", () => sum([largest, ulp])],
    ["sum, on the way", () => sum([largest, ulp, decimal("-1")])],
    ["from units", () => decimalFromUnits(10n ** 38n)],
    ["from units, below", () => decimalFromUnits(-(10n ** 38n))],
    ["from a whole number", () => decimalFromInt(10n ** 28n)],
    ["ceiling above 64 bits", () => ceiling(decimal("9223372036854775807.0000000001"))],
    ["ceiling below 64 bits", () => ceiling(decimal("-9223372036854775809"))],
  ])("%s", (_operation, compute) => {
    expect(compute).toThrow(ArithmeticFailure);
  });

  test.each([
    ["add", () => add(subtract(largest, ulp), ulp), largest],
    ["subtract", () => subtract(add(smallest, ulp), ulp), smallest],
    ["multiply", () => multiply(largest, ONE), largest],
    ["multiply by -1", () => multiply(largest, decimal("-1")), smallest],
    ["divide", () => divide(largest, ONE), largest],
    [
      "the largest product of powers of ten",
      () => multiply(decimal("10000000000000"), decimal("100000000000000")),
      decimal("1000000000000000000000000000"),
    ],
    ["from units", () => decimalFromUnits(10n ** 38n - 1n), largest],
    [
      "from the largest Int",
      () => decimalFromInt(9_223_372_036_854_775_807n),
      decimal("9223372036854775807"),
    ],
  ])("%s: the last one that fits", (_operation, compute, expected) => {
    expect(compute()).toBe(expected);
  });

  test.each(["1", "-1", "0"])("%s ÷ 0", (dividend) => {
    expect(() => divide(decimal(dividend), ZERO)).toThrow(ArithmeticFailure);
    expect(() => divide(decimal(dividend), ZERO)).toThrow("cannot be divided by zero");
  });

  test("units are a decimal's below 38 digits only", () => {
    expect(isDecimalUnits(10n ** 38n - 1n)).toBe(true);
    expect(isDecimalUnits(10n ** 38n)).toBe(false);
    expect(isDecimalUnits(-(10n ** 38n) + 1n)).toBe(true);
    expect(isDecimalUnits(-(10n ** 38n))).toBe(false);
  });
});

describe("ceiling, sum, minimum, maximum", () => {
  test.each([
    ["0", 0n],
    ["0.0000000001", 1n],
    ["1", 1n],
    ["1.0000000001", 2n],
    ["1.9999999999", 2n],
    ["-0.0000000001", 0n],
    ["-0.9999999999", 0n],
    ["-1", -1n],
    ["-1.5", -1n],
    ["9223372036854775807", 9_223_372_036_854_775_807n],
    ["-9223372036854775808.9", -9_223_372_036_854_775_808n],
  ])("the ceiling of %s is %s", (given, expected) => {
    expect(ceiling(decimal(given))).toBe(expected);
  });

  test("sums are exact; the sum of nothing is zero", () => {
    expect(sum([])).toBe(ZERO);
    expect(formatDecimal(sum([decimal("0.1"), decimal("0.2"), decimal("-0.3")]))).toBe("0.0000000000");
    expect(subtract(decimal("1"), decimal("0.9999999999"))).toBe(ulp);
  });

  test("minimum and maximum pick the smaller and the larger", () => {
    const [a, b] = [decimal("-2"), decimal("1.5")];
    expect([minimum(a, b), minimum(b, a), maximum(a, b), maximum(b, a)]).toEqual([a, a, b, b]);
  });
});

/** Of all sizes: a uniform bigint would hardly ever be small. */
const anyDecimal: fc.Arbitrary<Decimal> = fc
  .tuple(fc.integer({ min: 0, max: 38 }), fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }))
  .map(([digits, units]) => (units % 10n ** BigInt(digits)) as Decimal);

/**
 * The definition of rounding half to even, checked rather than computed: no other decimal is nearer to the
 * exact fraction, and of two that are equally near the even one was taken. An overflow must be a true one.
 */
function expectNearest(given: {
  exact: { numerator: bigint; denominator: bigint };
  of: () => Decimal;
}): void {
  const sign = given.exact.denominator < 0n ? -1n : 1n;
  const numerator = given.exact.numerator * sign;
  const denominator = given.exact.denominator * sign;
  let result: Decimal;
  try {
    result = given.of();
  } catch (error) {
    expect(error).toBeInstanceOf(ArithmeticFailure);
    const size = numerator < 0n ? -numerator : numerator;
    // The largest decimal is 10³⁸ − 1 units: what lies at least half a unit beyond it rounds to 10³⁸.
    expect(2n * size >= (2n * 10n ** 38n - 1n) * denominator).toBe(true);
    return;
  }
  const distance = numerator - result * denominator;
  const twice = 2n * (distance < 0n ? -distance : distance);
  expect(twice < denominator || (twice === denominator && result % 2n === 0n)).toBe(true);
}
