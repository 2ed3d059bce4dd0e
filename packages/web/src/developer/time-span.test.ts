import { expect, test } from "vitest";
import { parseTimeSpan, progressOf } from "./time-span.ts";

test.each([
  ["90m", 5400],
  ["1d 12h", 129_600],
  ["1D12H", 129_600],
  [" 2 w ", 1_209_600],
  ["30s", 30],
])("%s is %i seconds", (text, seconds) => {
  expect(parseTimeSpan(text)).toBe(seconds);
});

test.each(["", "0d", "5", "d", "1y", "-1d", "1.5h", "1d foo", "1d,2h"])("%j is no length of time", (text) => {
  expect(parseTimeSpan(text)).toBeNull();
});

test("the progress of a move is the part of its way, within 0 and 1", () => {
  const move = { from: "2026-01-01T00:00:00Z", to: "2026-01-05T00:00:00Z" };
  expect(progressOf("2026-01-02T00:00:00Z", move)).toBe(0.25);
  expect(progressOf("2025-01-01T00:00:00Z", move)).toBe(0);
  expect(progressOf("2027-01-01T00:00:00Z", move)).toBe(1);
  expect(progressOf("2026-01-01T00:00:00Z", { from: move.from, to: move.from })).toBe(1);
});
