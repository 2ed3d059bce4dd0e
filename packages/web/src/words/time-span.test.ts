import { expect, test } from "vitest";
import { formatTimeSpan, parseTimeSpan } from "./time-span.ts";

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

test.each([
  [604_800, "7d"],
  [129_600, "1d 12h"],
  [90, "1m 30s"],
  [0, "0s"],
])("%i seconds are shown as %s", (seconds, text) => {
  expect(formatTimeSpan(seconds)).toBe(text);
});
