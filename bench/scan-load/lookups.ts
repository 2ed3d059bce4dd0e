/** Lookups of names in a random order that is the same in every run. Zipf's law: the name of rank r is asked 1/r as often. */
import { Random } from "../../tests/support/random.ts";
import { nameAt, ownerAt } from "../name-index-data/bulk-names.ts";

const BASE = "/api/scan/v0/ans-entries";
const PAGE = 20;
/** Names are spread evenly over labels of this many letters and digits. */
const LETTERS = 36;
/** A step that has no factor in common with a power of ten: ranks are spread over the alphabet. */
const STEP = 7919;

export interface Lookup {
  readonly what: string;
  readonly status: number;
  /** The least ratio to the bare server. */
  readonly target: number;
  readonly next: () => string;
}

export function listLookups(names: number): readonly Lookup[] {
  const random = new Random(1);
  const anyName = () => nameAt(random.below(names), names);
  const byRank = ranks(names, random);
  const prefixLength = Math.max(Math.floor(Math.log(names / PAGE) / Math.log(LETTERS)), 0);
  return [
    {
      what: "by name, hit, Zipf",
      status: 200,
      target: 0.85,
      next: () => `${BASE}/by-name/${nameAt((byRank() * STEP) % names, names)}`,
    },
    { what: "by name, hit, uniform", status: 200, target: 0.65, next: () => `${BASE}/by-name/${anyName()}` },
    {
      what: "by name, miss",
      status: 404,
      target: 0.75,
      next: () => `${BASE}/by-name/nobody-${random.next()}.unverified.cns`,
    },
    {
      what: "by party, uniform",
      status: 200,
      target: 0.65,
      next: () => `${BASE}/by-party/${encodeURIComponent(ownerAt(random.below(names)))}`,
    },
    {
      what: `prefix, ${PAGE} names`,
      status: 200,
      target: 0.45,
      next: () => `${BASE}?name_prefix=${anyName().slice(0, prefixLength)}&page_size=${PAGE}`,
    },
  ];
}

function ranks(count: number, random: Random): () => number {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1);
    upTo[rank] = sum;
  }
  return () => {
    const sought = (random.next() / 2 ** 32) * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) > sought) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
