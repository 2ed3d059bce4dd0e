/**
 * The price that the SVs' votes give: the middle one, or the mean of the two in the middle. It is worked out
 * as half the sum of both in either case, as Splice does, so that the last digit is rounded alike.
 */
import { abort } from "../../engine/failure.ts";
import { add, type Decimal, decimal, multiply } from "../../values/decimal.ts";

const HALF = decimal("0.5");

export function median(values: readonly Decimal[]): Decimal {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const lower = sorted[(sorted.length - 1) >> 1];
  const upper = sorted[sorted.length >> 1];
  if (lower === undefined || upper === undefined) abort("median: not defined for the empty list");
  return multiply(HALF, add(lower, upper));
}
