import { expect, test } from "vitest";
import { matchesOutput, parseConsoleBlocks } from "./console-blocks.ts";

test("commands and their outputs are read from console blocks only", () => {
  const markdown = ["```sh", "$ no", "```", "```console", "$ a \\", "  b", "$ c", "1", "2", "```", "$ no"];
  expect(parseConsoleBlocks(markdown.join("\n"))).toEqual([
    { line: 5, command: "a \\\n  b", output: "" },
    { line: 7, command: "c", output: "1\n2" },
  ]);
});

test.each([
  ["plain", "plain\n", true],
  ["plain", "plain text", false],
  ['{"a":"00ab12…"}', '{"a":"00ffffffffff"}', true],
  ['{"a":"00ab12…"}', '{"a":"zz"}', false],
  ['{"at":"2027-01-14T07:45:07.27Z"}', '{"at":"2026-11-15T00:00:00Z"}', true],
  ['{"at":"2027-01-14T07:45:07.27Z"}', '{"at":"soon"}', false],
  ["{…,1.5}", "{2,1.5}", true],
  ["{…,1.5}", "{2,1.6}", false],
  ["", "an error", false],
])("%j against the output %j: %j", (expected, actual, matches) => {
  expect(matchesOutput(expected, actual)).toBe(matches);
});
