/** Numbers that look random and are the same on every machine (mulberry32). */
export interface Random {
  /** A whole number from 0 to below the bound. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (bound: number) => next() % bound;
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
