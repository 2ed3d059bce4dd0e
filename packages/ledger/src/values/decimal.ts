/**
 * Daml's Decimal: Numeric 10, kept as a bigint of 10⁻¹⁰ units.
 * At most 38 digits; a product or quotient is rounded half-even to 10 places at each operation, sums are
 * exact, and a result that does not fit is an error, never a wrong number.
 */
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { int64 } from "./int64.ts";
import { expectParsed, malformed, type Parsed, parsed } from "./parsed.ts";

export type Decimal = bigint & { readonly decimal: unique symbol };

export const DECIMAL_PLACES = 10;
const UNIT = 10_000_000_000n;
const LIMIT = 10n ** 38n;
const ALLOWED = "a decimal has an optional minus sign, 1 to 28 digits and at most 10 digits after a point";

/** Optional sign, 1–28 integer digits, optionally a point and 1–10 digits. No exponent, no plus sign. */
const PATTERN = /^(-?)(\d{1,28})(?:\.(\d{1,10}))?$/;

export const ZERO: Decimal = 0n as Decimal;
export const ONE: Decimal = UNIT as Decimal;

export function parseDecimal(given: string): Parsed<Decimal> {
  const match = PATTERN.exec(given);
  if (match === null) return malformed("decimal", given, ALLOWED);
  const [, sign, whole = "", fraction = ""] = match;
  const units = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, "0"));
  return parsed((sign === "-" ? -units : units) as Decimal);
}

/** A decimal written in our own source, such as `decimal("0.005")`. */
export function decimal(literal: string): Decimal {
  return expectParsed(parseDecimal(literal));
}

/** The value of 10⁻¹⁰ units, or a failure if it has more than 38 digits. */
export function decimalFromUnits(units: bigint): Decimal {
  if (!isDecimalUnits(units)) throw new ArithmeticFailure(`${units}e-10 has more than 38 digits`);
  return units;
}

export function isDecimalUnits(units: bigint): units is Decimal {
  return units < LIMIT && units > -LIMIT;
}

export function decimalFromInt(whole: bigint): Decimal {
  return decimalFromUnits(whole * UNIT);
}

/** Always 10 digits after the point: `"200.0000000000"`. */
export function formatDecimal(value: Decimal): string {
  const digits = (value < 0n ? -value : value).toString().padStart(DECIMAL_PLACES + 1, "0");
  const point = digits.length - DECIMAL_PLACES;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Trailing zeros dropped, at least one digit after the point: `"200.0"`, `"0.005"`. */
export function formatDecimalShort(value: Decimal): string {
  return formatDecimal(value).replace(/0{1,9}$/, "");
}

export function add(a: Decimal, b: Decimal): Decimal {
  return decimalFromUnits(a + b);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return decimalFromUnits(a - b);
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimalFromUnits(divideHalfEven(a * b, UNIT));
}

export function divide(a: Decimal, b: Decimal): Decimal {
  if (b === 0n) throw new ArithmeticFailure(`${formatDecimal(a)} cannot be divided by zero`);
  return decimalFromUnits(divideHalfEven(a * UNIT, b));
}

/** From the first to the last, as Daml adds a list: a sum that overflows on the way is an error too. */
export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

export function minimum(a: Decimal, b: Decimal): Decimal {
  return a < b ? a : b;
}

export function maximum(a: Decimal, b: Decimal): Decimal {
  return a > b ? a : b;
}

/** The smallest Int that is not below the value, or a failure if 64 bits do not hold it. */
export function ceiling(value: Decimal): bigint {
  const whole = value / UNIT;
  return int64(value > 0n && value % UNIT !== 0n ? whole + 1n : whole);
}

/** n ÷ d rounded to the nearest whole number, a tie to the even one. */
function divideHalfEven(n: bigint, d: bigint): bigint {
  const negative = n < 0n !== d < 0n;
  const dividend = n < 0n ? -n : n;
  const divisor = d < 0n ? -d : d;
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  const rounded = up ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}
