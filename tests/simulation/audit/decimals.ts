/** The auditor's own arithmetic: decimals are bigints of 10⁻¹⁰, and every product and quotient is rounded by hand. */

export const UNIT = 10_000_000_000n;

/** n ÷ d for positive numbers, to the nearest whole; a tie goes to the even one. */
export function roundHalfEven(n: bigint, d: bigint): bigint {
  const below = n / d;
  const distance = 2n * (n - below * d) - d;
  if (distance !== 0n) return distance > 0n ? below + 1n : below;
  return below % 2n === 0n ? below : below + 1n;
}

/** The product of two decimals that are not negative. */
export function times(a: bigint, b: bigint): bigint {
  return roundHalfEven(a * b, UNIT);
}

/** The quotient of two decimals, of which the second is positive. */
export function over(a: bigint, b: bigint): bigint {
  return roundHalfEven(a * UNIT, b);
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
