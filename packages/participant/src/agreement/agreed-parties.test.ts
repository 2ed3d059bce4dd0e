import { expect, test } from "vitest";
import { decideAgreedParties } from "./agreed-parties.ts";

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  [
    "all list the same",
    [
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ],
    ["a", "b"],
  ],
  ["one lists more", [["a", "b"], ["a"], ["a"]], ["a"]],
  ["one lists nothing", [[], ["a", "b"], ["a", "b"]], ["a", "b"]],
  ["one lists a party twice", [["a", "forged", "forged"], ["a"], []], ["a"]],
  ["some lag", [["a", "b", "c"], ["a", "b"], ["a"]], ["a", "b"]],
])("%s: parties that two of three list exist", (_, answers, expected) => {
  expect([...decideAgreedParties(answers, 2)].sort()).toEqual(expected);
});
