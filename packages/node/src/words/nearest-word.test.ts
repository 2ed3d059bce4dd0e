import { expect, test } from "vitest";
import { findNearestWord } from "./nearest-word.ts";

const OPTIONS = ["fresh", "data", "any-ports", "json", "log", "help"];

test.each([
  ["frsh", "fresh"],
  ["Data", "data"],
  ["DTA", "data"],
  ["any_port", "any-ports"],
  ["anyports", "any-ports"],
  ["logg", "log"],
  ["fresh", "fresh"],
  ["nonsense", undefined],
  ["x", undefined],
  ["", undefined],
])("%s is nearest to %s", (given, expected) => {
  expect(findNearestWord(given, OPTIONS)).toBe(expected);
});

test.each([
  ["persistance.hosst", "persistence.host"],
  ["scanAdress", "scanAddress"],
])("a longer word may have more mistakes: %s is nearest to %s", (given, expected) => {
  expect(findNearestWord(given, ["persistence.host", "persistence.port", "scanAddress"])).toBe(expected);
});

test("a word with nothing in common is not near, however short", () => {
  expect(findNearestWord("ab", ["xy"])).toBeUndefined();
});

test("a long given text is compared with words of about its length only", () => {
  expect(findNearestWord("z".repeat(100_000), OPTIONS)).toBeUndefined();
});
