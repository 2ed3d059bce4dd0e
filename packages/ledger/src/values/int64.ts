/** Daml's Int: a signed 64-bit integer, kept as a bigint. Overflow is an error. */
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { malformed, type Parsed, parsed } from "./parsed.ts";

export const MAX_INT64: bigint = 2n ** 63n - 1n;
export const MIN_INT64: bigint = -(2n ** 63n);
const PATTERN = /^-?\d{1,19}$/;

export function parseInt64(given: string): Parsed<bigint> {
  if (PATTERN.test(given)) {
    const value = BigInt(given);
    if (isInt64(value)) return parsed(value);
  }
  return malformed("integer", given, `an integer lies between ${MIN_INT64} and ${MAX_INT64}`);
}

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** The result of integer arithmetic, or a failure if it left the 64 bits. */
export function int64(value: bigint): bigint {
  if (!isInt64(value)) throw new ArithmeticFailure(`${value} does not fit 64 bits`);
  return value;
}
