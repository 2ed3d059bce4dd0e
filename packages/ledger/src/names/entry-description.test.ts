import { expect, test } from "vitest";
import { parseEntryDescription } from "./entry-description.ts";

test.each([
  ["nothing", ""],
  ["one character", "a"],
  ["140 characters", "a".repeat(140)],
  ["140 characters outside ASCII", "é".repeat(140)],
  ["70 emoji, which count as 140", "😀".repeat(70)],
  ["line breaks and quotes", 'a\n"b"\u0000'],
])("%s is a description", (_what, text) => {
  expect(parseEntryDescription(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["141 characters", "a".repeat(141)],
  ["70 emoji and one more character", `${"😀".repeat(70)}a`],
  ["71 emoji", "😀".repeat(71)],
])("%s are too long for a description", (_what, text) => {
  expect(parseEntryDescription(text).ok).toBe(false);
});

test("the error says what was given, what is allowed and what to do", () => {
  expect(parseEntryDescription("b".repeat(141))).toEqual({
    ok: false,
    error:
      `Description "${"b".repeat(80)}"… (141 characters): it has 141 characters. ` +
      "Allowed: at most 140 characters, where most emoji count as two or more. Shorten it.",
  });
});
