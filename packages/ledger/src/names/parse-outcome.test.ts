import { expect, test } from "vitest";
import { quoteShortened } from "./parse-outcome.ts";

test.each([
  ["", '""'],
  ["alice", '"alice"'],
  ['say "hi"\n', '"say \\"hi\\"\\n"'],
  ["a".repeat(80), `"${"a".repeat(80)}"`],
  ["a".repeat(81), `"${"a".repeat(80)}"… (81 characters)`],
  ["😀".repeat(80), `"${"😀".repeat(80)}"`],
  ["😀".repeat(81), `"${"😀".repeat(80)}"… (162 characters)`],
])("quotes %j, cut after 80 characters", (text, expected) => {
  expect(quoteShortened(text)).toBe(expected);
});

test("a quote of very long text stays short and never splits a surrogate pair", () => {
  const quoted = quoteShortened(`a${"😀".repeat(1_000_000)}`);
  expect(quoted).toBe(`"a${"😀".repeat(79)}"… (2000001 characters)`);
});
