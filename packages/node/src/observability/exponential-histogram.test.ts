import fc from "fast-check";
import { expect, test } from "vitest";
import { countUpTo, ExponentialHistogram, MAX_BUCKETS } from "./exponential-histogram.ts";

function recorded(values: readonly number[]) {
  const histogram = new ExponentialHistogram();
  for (const value of values) histogram.record(value);
  return histogram.snapshot();
}

/** Values of any size that Prometheus' buckets can hold. */
const value = fc.double({ min: 1e-30, max: 1e30, noNaN: true });

test("every value lies in its bucket, whatever values came before", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), (values) => {
      const { scale, first, counts, count, sum } = recorded(values);
      const base = 2 ** (2 ** -scale);
      const expected = counts.map(
        (_, place) =>
          // A value at the very edge of a bucket may be counted on either side of it.
          values.filter((each) => each > base ** (first + place - 1) && each <= base ** (first + place))
            .length,
      );
      const drift = expected.reduce((total, each, place) => total + Math.abs(each - (counts[place] ?? 0)), 0);
      expect(drift).toBeLessThanOrEqual(values.length / 50);
      expect(counts.reduce((total, each) => total + each, 0)).toBe(values.length);
      expect([count, counts.length <= MAX_BUCKETS]).toEqual([values.length, true]);
      expect(sum).toBeCloseTo(
        values.reduce((total, each) => total + each, 0),
        -25,
      );
    }),
  );
});

test("the scale is the finest at which all values fit into 160 buckets", () => {
  expect(recorded([1, 2 ** 0.5]).scale).toBe(8);
  // 160 buckets at scale 8 span 2^(160 / 256).
  expect(recorded([1.0001, 1.0001 * 2 ** (158 / 256)]).scale).toBe(8);
  expect(recorded([1.0001, 1.0001 * 2 ** (161 / 256)]).scale).toBe(7);
  expect(recorded([1e-9, 1e9]).scale).toBe(1);
  // 2^1151 between them: 144 buckets of 2^8 each.
  expect(recorded([2 ** -127, Number.MAX_VALUE]).scale).toBe(-3);
});

test("powers of two are the upper bounds of their buckets at every scale", () => {
  for (const values of [
    [1, 2, 4],
    [2 ** -20, 2 ** 20],
    [2 ** -60, 2 ** 60],
  ]) {
    const histogram = recorded(values);
    for (const each of values) {
      expect(countUpTo(histogram, each)).toBe(values.filter((other) => other <= each).length);
      expect(countUpTo(histogram, each / 2)).toBe(values.filter((other) => other <= each / 2).length);
    }
  }
});

test("zero, less than zero and what is no number are counted as zeros", () => {
  const histogram = recorded([0, -1, Number.NaN, 0.5]);
  expect(histogram).toMatchObject({ count: 4, zeros: 3, sum: 0.5, counts: [1] });
  expect(countUpTo(histogram, 0.25)).toBe(3);
});
