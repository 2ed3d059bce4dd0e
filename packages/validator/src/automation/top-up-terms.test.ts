// Amount and interval of a top-up, with the figures of Splice's own tests.
import { expect, test } from "vitest";
import { decideTopUpTerms } from "./top-up-terms.ts";

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
