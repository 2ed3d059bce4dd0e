import { expect, test } from "vitest";
import { requiredConfirmations } from "./required-confirmations.ts";

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 4],
  [6, 4],
  [7, 5],
  [10, 7],
  [13, 9],
])("of %i SVs %i have to confirm", (svCount, required) => {
  expect(requiredConfirmations(svCount)).toBe(required);
});

test("f silent SVs cannot stop an action, and two quorums share more than f SVs", () => {
  for (let n = 1; n <= 100; n++) {
    const f = Math.floor((n - 1) / 3);
    const quorum = requiredConfirmations(n);
    expect(quorum).toBeLessThanOrEqual(n - f);
    expect(2 * quorum - n).toBeGreaterThan(f);
  }
});
