/**
 * The amount of a coin. It is spendable in full whatever its age; the rate only decides when the DSO may
 * sweep a forgotten coin away.
 */
import { add, type Decimal, decimalFromInt, divide, multiply, ONE, ZERO } from "../../../values/decimal.ts";
import type { ExpiringAmount, RatePerRound } from "../declarations/fees.ts";

export function isValidExpiringAmount({ initialAmount, ratePerRound, createdAt }: ExpiringAmount): boolean {
  return initialAmount > 0n && ratePerRound.rate >= 0n && createdAt.number >= 0n;
}

/** A holding fee in coin. The inverse of the price is rounded to ten places before it multiplies the fee. */
export function holdingFeeInCoin(feeUsd: RatePerRound, amuletPrice: Decimal): RatePerRound {
  return { rate: multiply(divide(ONE, amuletPrice), feeUsd.rate) };
}

/** The coin's rate for each round since its creation, and never more than the coin: what its age would cost. */
export function holdingFee(
  { initialAmount, createdAt, ratePerRound }: ExpiringAmount,
  round: bigint,
): Decimal {
  const age = round - createdAt.number;
  if (age <= 0n) return ZERO;
  const fee = ratePerRound.rate * age;
  return fee < initialAmount ? (fee as Decimal) : initialAmount;
}

/** The worth the coin would have had in round zero; histories add such amounts up across rounds. */
export function valueAsOfRoundZero({ initialAmount, ratePerRound, createdAt }: ExpiringAmount): Decimal {
  return add(initialAmount, multiply(ratePerRound.rate, decimalFromInt(createdAt.number)));
}
