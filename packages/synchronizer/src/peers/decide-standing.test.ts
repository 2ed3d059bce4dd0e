import { expect, test } from "vitest";
import { decideStanding } from "./decide-standing.ts";

/** The standing of an SV that holds "a", by the digests of those others that answered. */
function standing(svs: number, others: string) {
  const given = new Map([...others].map((digest, i) => [`sv-${i + 2}`, digest]));
  return decideStanding({ svs, own: "a", others: given });
}

test.each([
  // n = 4: two SVs that say the same outnumber one faulty SV.
  { svs: 4, others: "aaa", kind: "majority", odd: [] },
  { svs: 4, others: "aab", kind: "majority", odd: ["sv-4"] },
  { svs: 4, others: "ab", kind: "majority", odd: ["sv-3"] },
  { svs: 4, others: "abb", kind: "undecided", odd: ["sv-3", "sv-4"] },
  { svs: 4, others: "bc", kind: "undecided", odd: ["sv-2", "sv-3"] },
  { svs: 4, others: "b", kind: "undecided", odd: ["sv-2"] },
  // n = 3 and n = 2: none may be faulty, so only a strict majority counts.
  { svs: 3, others: "ab", kind: "majority", odd: ["sv-3"] },
  { svs: 3, others: "b", kind: "undecided", odd: ["sv-2"] },
  { svs: 2, others: "b", kind: "undecided", odd: ["sv-2"] },
  // n = 7: two may be faulty.
  { svs: 7, others: "aab", kind: "majority", odd: ["sv-4"] },
  { svs: 7, others: "ab", kind: "undecided", odd: ["sv-3"] },
  { svs: 7, others: "bb", kind: "undecided", odd: ["sv-2", "sv-3"] },
])("of $svs SVs, with $others beside its own, it is $kind", ({ svs, others, kind, odd }) => {
  expect(standing(svs, others)).toEqual({ kind, odd });
});

test.each([
  { svs: 4, others: "bbb", holders: ["sv-2", "sv-3", "sv-4"] },
  { svs: 4, others: "bb", holders: ["sv-2", "sv-3"] },
  { svs: 4, others: "cbb", holders: ["sv-3", "sv-4"] },
  { svs: 3, others: "bb", holders: ["sv-2", "sv-3"] },
  { svs: 7, others: "abbb", holders: ["sv-3", "sv-4", "sv-5"] },
])("of $svs SVs, with $others beside its own, it is the one that is wrong", ({ svs, others, holders }) => {
  expect(standing(svs, others)).toEqual({ kind: "minority", digest: "b", holders });
});
