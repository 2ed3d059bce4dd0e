import { expect, test } from "vitest";
import { UsualTime } from "./usual-time.ts";

const BOUNDS = { least: 300, most: 5000 };

function after(times: readonly number[]): number {
  const usual = new UsualTime();
  for (const milliseconds of times) usual.observe(milliseconds);
  return usual.patience(BOUNDS);
}

test("patience is the least while answers come fast", () => {
  expect(after([])).toBe(300);
  expect(after(Array.from({ length: 300 }, () => 20))).toBe(300);
});

test("patience is three times the time that answers take, once they take so long", () => {
  expect(after(Array.from({ length: 300 }, () => 1000))).toBeCloseTo(3000, 0);
});

test("one slow answer among fast ones changes little", () => {
  expect(after([...Array.from({ length: 300 }, () => 20), 800])).toBeLessThan(400);
});

test("patience has an end, and falls again with the times", () => {
  expect(after(Array.from({ length: 300 }, () => 60_000))).toBe(5000);
  expect(
    after([...Array.from({ length: 300 }, () => 60_000), ...Array.from({ length: 300 }, () => 20)]),
  ).toBe(300);
});
