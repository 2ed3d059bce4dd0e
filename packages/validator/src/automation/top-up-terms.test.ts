// Amount and interval of a top-up, with the figures of Splice's own tests.
import { describe, expect, test } from "vitest";
import { checkTopUp, decideTopUpTerms } from "./top-up-terms.ts";

const MINUTE = 60;
const MICROSECONDS = 1_000_000n;

test.each([
  // throughput, interval, polling, least amount → interval, bytes
  [10_000, 7 * MINUTE, 2 * MINUTE, 4_000_000n, 8 * MINUTE, 4_800_000n],
  [10_000, 8 * MINUTE, 2 * MINUTE, 4_000_000n, 8 * MINUTE, 4_800_000n],
  [10_000, 7 * MINUTE, 2 * MINUTE, 5_000_000n, 10 * MINUTE, 6_000_000n],
  // LocalNet's: 1.2 MB a minute at most.
  [20_000, MINUTE, 30, 200_000n, MINUTE, 1_200_000n],
  // The interval is rounded up to the polling interval.
  [20_000, 61, 30, 200_000n, 90, 1_800_000n],
  // The least amount is what an interval buys already, or one byte more.
  [10_000, MINUTE, 30, 600_000n, MINUTE, 600_000n],
  [10_000, MINUTE, 30, 600_001n, 90, 900_000n],
  // 1000 × 200,000 ÷ 3 ms are 66,666,667, and half a minute at least more.
  [3, MINUTE, 30, 200_000n, 66_690, 200_070n],
])("%i B/s every %i s, looked at every %i s, at least %i bytes: every %i s %i bytes", (...given) => {
  const [targetThroughput, minTopupIntervalSeconds, polling, least, interval, bytes] = given;
  const terms = decideTopUpTerms({ targetThroughput, minTopupIntervalSeconds }, least, polling);
  expect(terms).toEqual({ intervalMicroseconds: BigInt(interval) * MICROSECONDS, bytes });
});

describe("what an operator may say", () => {
  test("nothing, or no throughput, buys nothing", () => {
    expect(checkTopUp(undefined)).toBeUndefined();
    expect(checkTopUp({ targetThroughput: 0, minTopupIntervalSeconds: 1 })).toBeUndefined();
  });

  test("LocalNet's figures, and the least that makes sense", () => {
    for (const targetThroughput of [20_000, 3334]) {
      const config = { targetThroughput, minTopupIntervalSeconds: 60 };
      expect(checkTopUp(config)).toBe(config);
    }
  });

  test.each([
    [
      { targetThroughput: 20_000, minTopupIntervalSeconds: 29 },
      /minTopupIntervalSeconds: 29 is too short: give 30/,
    ],
    [
      { targetThroughput: 3333, minTopupIntervalSeconds: 60 },
      /targetThroughput: 3333 .* 199980 bytes, and more than 200000/,
    ],
    [{ targetThroughput: -1, minTopupIntervalSeconds: 60 }, /targetThroughput: -1 is not allowed/],
    [{ targetThroughput: 0.5, minTopupIntervalSeconds: 60 }, /targetThroughput: 0.5 is not allowed/],
    [
      { targetThroughput: 1, minTopupIntervalSeconds: Number.NaN },
      /minTopupIntervalSeconds: NaN is not allowed/,
    ],
  ])("%j is refused", (config, message) => {
    expect(() => checkTopUp(config)).toThrow(message);
  });
});
