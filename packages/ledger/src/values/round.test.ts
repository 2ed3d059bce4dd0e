import { expect, test } from "vitest";
import { ArithmeticFailure } from "./arithmetic-failure.ts";
import { compareRounds, formatRound, laterRound, parseRound } from "./round.ts";

test.each([
  ["0", 0n],
  ["28", 28n],
  ["9223372036854775807", 9_223_372_036_854_775_807n],
])("round %s", (given, number) => {
  const round = parseRound(given);
  expect(round).toEqual({ ok: true, value: { number } });
  if (round.ok) expect(formatRound(round.value)).toBe(given);
});

test.each(["", "-1", "1.5", "first", "9223372036854775808"])("%j is no round", (given) => {
  expect(parseRound(given)).toEqual({
    ok: false,
    error: `round ${JSON.stringify(given)} is not valid: a round is a whole number of at least 0.`,
  });
});

test("rounds are ordered by their number", () => {
  const rounds = [{ number: 10n }, { number: 9n }, { number: 100n }, { number: 9n }];
  expect(rounds.toSorted(compareRounds).map(formatRound)).toEqual(["9", "9", "10", "100"]);
});

test("a later round; the numbers end where 64 bits do", () => {
  expect(laterRound({ number: 28n }, 2n)).toEqual({ number: 30n });
  expect(() => laterRound({ number: 9_223_372_036_854_775_807n }, 1n)).toThrow(ArithmeticFailure);
});
