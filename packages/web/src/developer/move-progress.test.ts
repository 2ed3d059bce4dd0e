import { expect, test } from "vitest";
import { progressOf } from "./move-progress.ts";

test("the progress of a move is the part of its way, within 0 and 1", () => {
  const move = { from: "2026-01-01T00:00:00Z", to: "2026-01-05T00:00:00Z" };
  expect(progressOf("2026-01-02T00:00:00Z", move)).toBe(0.25);
  expect(progressOf("2025-01-01T00:00:00Z", move)).toBe(0);
  expect(progressOf("2027-01-01T00:00:00Z", move)).toBe(1);
  expect(progressOf("2026-01-01T00:00:00Z", { from: move.from, to: move.from })).toBe(1);
});
