/**
 * Which of a wallet's coins and rewards go into its next payment. A few of the largest coins come first, so that
 * large payments do not fail for want of coin; then rewards, those that can be minted the shortest time first; then
 * the other coins, so that every payment also merges them; then what can be minted at any time.
 */
import type { Decimal, TransferInput } from "@callsign/ledger";

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
  /** In their order. */
  readonly others: readonly TransferInput[];
}

export function selectInputs(
  { coins, rewards, others }: Inputs,
  maxInputs: number,
): readonly TransferInput[] {
  const sorted = [...coins].sort((a, b) => compare(b.amount, a.amount)).slice(0, maxInputs);
  const due = [...rewards].sort((a, b) => compare(a.round, b.round) || compare(b.value, a.value));
  const first = preferredCoins(sorted.length + due.length, maxInputs);
  const inputs = [...sorted.slice(0, first), ...due, ...sorted.slice(first)].map(({ input }) => input);
  return [...inputs, ...others].slice(0, maxInputs);
}

/** A tenth, rounded, of what there is or what is allowed, whichever is more; two at least. */
function preferredCoins(present: number, maxInputs: number): number {
  return Math.max(2, Math.round(Math.max(present, maxInputs) / 10));
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
