import { expect, test } from "vitest";
import { testParty } from "../../../testing/sandbox.ts";
import { showParty, showRecord, showText } from "./show-value.ts";

test("a record shows its constructor and its fields in order", () => {
  const alice = testParty("alice");
  expect(showRecord("ForOwner", { dso: showParty(alice), owner: showText("b") })).toBe(
    `ForOwner {dso = '${alice}', owner = "b"}`,
  );
});

test.each([
  ["", '""'],
  ["plain ~ text", '"plain ~ text"'],
  ['a "quoted" back\\slash', '"a \\"quoted\\" back\\\\slash"'],
  ["grün", '"gr\\252n"'],
  ["ü1", '"\\252\\&1"'],
  ["😀!", '"\\128512!"'],
  ["a\tb\nc", '"a\\tb\\nc"'],
  ["\u0001\u000eH\u000eI\u001f\u007f", '"\\SOH\\SO\\&H\\SOI\\US\\DEL"'],
])("the text %j shows as %s", (text, shown) => {
  expect(showText(text)).toBe(shown);
});
