import { expect, test } from "vitest";
import { RankWait } from "./rank-wait.ts";

test("each rank waits three times as long as answers take, within limits", () => {
  const wait = new RankWait();
  expect(wait.milliseconds(0)).toBe(150);
  for (let i = 0; i < 100; i++) wait.learn(100);
  expect(wait.milliseconds(0)).toBeCloseTo(300, 3);
  // A request without an answer counts as that slow.
  expect(wait.milliseconds(1000)).toBe(3000);
  expect(wait.milliseconds(60_000)).toBe(5000);
  for (let i = 0; i < 100; i++) wait.learn(60_000);
  expect(wait.milliseconds(0)).toBe(5000);
  for (let i = 0; i < 200; i++) wait.learn(1);
  expect(wait.milliseconds(0)).toBe(150);
});
