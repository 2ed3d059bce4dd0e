/**
 * The coins that a delegate merges for a beneficiary, as in Splice: the smallest, so many that the limit is left, and none
 * before there are twice as many.
 */
import type { Coin } from "./select-inputs.ts";

/** The number of coins to keep: a delegation may name any number, and one coin is the least that merging leaves. */
export function keepsCoins(mergeLimit: bigint): number {
  return mergeLimit < 1n ? 1 : Number(mergeLimit);
}

export function chooseCoinsToMerge(mergeLimit: bigint): (held: readonly Coin[]) => readonly Coin[] {
  const kept = keepsCoins(mergeLimit);
  return (held) => {
    if (held.length < 2 * kept) return [];
    return held
      .toSorted((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? -1 : 1))
      .slice(0, held.length - kept + 1);
  };
}
