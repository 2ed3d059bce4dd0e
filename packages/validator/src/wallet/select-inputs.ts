/**
 * Selects the coins and rewards for a wallet's next payment. A few of the largest coins come first, so that large
 * payments do not fail for want of coin; then rewards, the first to end first; then the other coins, so that every
 * payment also merges them; then contracts that can be minted at any time.
 */
import { type Decimal, decimalFromUnits, type TransferInput } from "@callsign/ledger";

export interface Coin {
  readonly amount: Decimal;
  readonly input: TransferInput;
}

export interface Reward {
  readonly round: bigint;
  readonly value: Decimal;
  readonly input: TransferInput;
}

export interface Inputs {
  readonly coins: readonly Coin[];
  readonly rewards: readonly Reward[];
  /** Contracts that can be minted at any time, in the order of their use. */
  readonly others: readonly TransferInput[];
}

/** 10²⁴ and 9 × 10²⁷: a hundred coins of the one size and a coin of the other make an amount within the limit. */
const LARGEST_OF_MANY = decimalFromUnits(10n ** 34n);
const LARGEST_BESIDE_OTHERS = decimalFromUnits(9n * 10n ** 37n);

export function selectInputs(
  { coins, rewards, others }: Inputs,
  maxInputs: number,
): readonly TransferInput[] {
  const isAlone = coins.length + rewards.length + others.length === 1;
  const sorted = (isAlone ? coins : withoutExcess(coins))
    .toSorted((a, b) => compare(b.amount, a.amount))
    .slice(0, maxInputs);
  const due = [...rewards].sort((a, b) => compare(a.round, b.round) || compare(b.value, a.value));
  const first = preferredCoins(sorted.length + due.length, maxInputs);
  const inputs = [...sorted.slice(0, first), ...due, ...sorted.slice(first)].map(({ input }) => input);
  return [...inputs, ...others].slice(0, maxInputs);
}

/**
 * On a DevNet anybody taps coins as large as amounts can be, and may send them to others. Two of those together
 * exceed the largest amount, and the ledger would refuse every payment: at most one goes in, the smallest.
 */
function withoutExcess(coins: readonly Coin[]): readonly Coin[] {
  const large = coins.filter(({ amount }) => amount > LARGEST_OF_MANY);
  if (large.length === 0) return coins;
  const smallest = large.reduce((least, coin) => (coin.amount < least.amount ? coin : least));
  const usable = smallest.amount <= LARGEST_BESIDE_OTHERS ? [smallest] : [];
  return [...coins.filter(({ amount }) => amount <= LARGEST_OF_MANY), ...usable];
}

/** The number of large coins that come first: a tenth of the present or of the allowed inputs, whichever is more; two at least. */
function preferredCoins(present: number, maxInputs: number): number {
  return Math.max(2, Math.round(Math.max(present, maxInputs) / 10));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
