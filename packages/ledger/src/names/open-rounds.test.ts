import { expect, test } from "vitest";
import { findNewestRound, findOpenRound } from "./open-rounds.ts";

// Numbers whose order as text differs from their order as numbers, not sorted.
const rounds = [
  { number: 10n, cid: "round-10" },
  { number: 11n, cid: "round-11" },
  { number: 9n, cid: "round-9" },
];

test("a round is found by its number while it is open", () => {
  expect(findOpenRound(rounds, 9n)?.cid).toBe("round-9");
  expect(findOpenRound(rounds, 8n)).toBeUndefined();
  expect(findOpenRound([], 9n)).toBeUndefined();
});

test("the newest round has the highest number, in whatever order they are given", () => {
  expect(findNewestRound(rounds)?.cid).toBe("round-11");
  expect(findNewestRound(rounds.toReversed())?.cid).toBe("round-11");
  expect(findNewestRound([])).toBeUndefined();
});
