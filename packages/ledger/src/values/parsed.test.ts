import { describe, expect, test } from "vitest";
import { expectParsed, malformed, parsed, show } from "./parsed.ts";

describe("a given text is shown in quotes, cut after 80 characters", () => {
  test.each([
    ["", '""'],
    ["alice", '"alice"'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ["a".repeat(80), `"${"a".repeat(80)}"`],
    ["a".repeat(81), `"${"a".repeat(80)}"… (81 characters)`],
    ["😀".repeat(80), `"${"😀".repeat(80)}"`],
    ["😀".repeat(81), `"${"😀".repeat(80)}"… (162 characters)`],
    ["\ud83d", '"\\ud83d"'],
  ])("%j", (given, shown) => {
    expect(show(given)).toBe(shown);
  });

  test("very long text stays short, and a surrogate pair is never split", () => {
    expect(show(`a${"😀".repeat(1_000_000)}`)).toBe(`"a${"😀".repeat(79)}"… (2000001 characters)`);
  });
});

test("a refusal says what, what was given, and what is allowed", () => {
  expect(malformed("colour", "blurple", "a colour is red or green")).toEqual({
    ok: false,
    error: 'colour "blurple" is not valid: a colour is red or green.',
  });
});

test("a value that must be there is unwrapped, a refusal is thrown", () => {
  expect(expectParsed(parsed(7))).toBe(7);
  expect(() => expectParsed(malformed("colour", "blurple", "red"))).toThrow(
    'colour "blurple" is not valid: red.',
  );
});
