import { describe, expect, expectTypeOf, test } from "vitest";
import type { Decimal } from "../values/decimal.ts";
import type { ValueOf } from "./daml-type.ts";
import { ledgerJson, scanJson } from "./json-dialect.ts";
import { optional } from "./optional.ts";
import { record } from "./record.ts";
import { int64, numeric, text, unit } from "./scalars.ts";
import { enumeration, variant } from "./variant.ts";

const Operation = variant({
  Tap: record({ amount: numeric }),
  Merge: unit,
  Pay: text,
  Change: optional(text),
});
const Unit = enumeration("USDUnit", "AmuletUnit", "ExtUnit");

describe("a variant in JSON", () => {
  test.each([
    ["no object", "Merge", "", 'Expected an object with "tag" and "value", got string "Merge"'],
    ["null", null, "", 'Expected an object with "tag" and "value", got null'],
    ["no value", { tag: "Merge" }, "", 'Expected an object with "tag" and "value", got an object'],
    ["no tag", { value: {} }, "", 'Expected an object with "tag" and "value", got an object'],
    [
      "an unknown tag",
      { tag: "Burn", value: {} },
      "tag",
      "Expected one of the constructors Tap, Merge, Pay, Change, got string \"Burn\" at 'tag'",
    ],
    [
      "a tag that objects inherit",
      { tag: "constructor", value: {} },
      "tag",
      "Expected one of the constructors Tap, Merge, Pay, Change, got string \"constructor\" at 'tag'",
    ],
    [
      "__proto__ as the tag",
      { tag: "__proto__", value: {} },
      "tag",
      "Expected one of the constructors Tap, Merge, Pay, Change, got string \"__proto__\" at 'tag'",
    ],
    [
      "a tag that is no string",
      { tag: 1, value: {} },
      "tag",
      "Expected one of the constructors Tap, Merge, Pay, Change, got number 1 at 'tag'",
    ],
    [
      "a value of another constructor",
      { tag: "Pay", value: {} },
      "value",
      "Expected a string, got an object at 'value'",
    ],
    [
      "a wrong value inside",
      { tag: "Tap", value: { amount: "x" } },
      "value.amount",
      "decimal \"x\" is not valid: a decimal has an optional minus sign, 1 to 28 digits and at most 10 digits after a point. at 'value.amount'",
    ],
  ])("is refused: %s", (_what, json, path, message) => {
    expect(() => Operation.fromJson(json, ledgerJson)).toThrow(
      expect.objectContaining({ problem: "invalid", path, message }),
    );
  });

  test("may carry other keys, which say nothing", () => {
    expect(Operation.fromJson({ tag: "Merge", value: {}, note: "x" }, scanJson)).toEqual({
      tag: "Merge",
      value: {},
    });
  });
});

test.each([
  [["Merge"], ""],
  [["Merge", [], []], ""],
  [{ tag: "Merge", value: [] }, ""],
  ["Merge", ""],
  [["Burn", []], "tag"],
  [["toString", []], "tag"],
  [[1, []], "tag"],
  [["Pay", 1], "value"],
  [["Tap", ["x"]], "value.amount"],
])("canonical data that is no variant is refused (%#)", (data, path) => {
  expect(() => Operation.decode(data)).toThrow(expect.objectContaining({ name: "DecodeError", path }));
});

test("variants are ordered as declared, then by value", () => {
  const ascending: ValueOf<typeof Operation>[] = [
    { tag: "Tap", value: { amount: 1n as Decimal } },
    { tag: "Tap", value: { amount: 2n as Decimal } },
    { tag: "Merge", value: {} },
    { tag: "Pay", value: "a" },
    { tag: "Pay", value: "b" },
    { tag: "Change", value: null },
    { tag: "Change", value: "" },
  ];
  expect(ascending.toReversed().sort(Operation.compare)).toEqual(ascending);
  expect(Operation.compare({ tag: "Merge", value: {} }, { tag: "Merge", value: {} })).toBe(0);
});

describe("an enum", () => {
  test.each(["usdunit", "USDUNIT", "", "constructor", null, 0, ["USDUnit"], { tag: "USDUnit" }])(
    "is not %j",
    (json) => {
      for (const read of [Unit.decode, (given: unknown) => Unit.fromJson(given, ledgerJson)]) {
        expect(() => read(json)).toThrow("Expected one of USDUnit, AmuletUnit, ExtUnit, got");
      }
    },
  );

  test("is ordered as declared", () => {
    expect((["ExtUnit", "AmuletUnit", "USDUnit"] as const).toSorted(Unit.compare)).toEqual([
      "USDUnit",
      "AmuletUnit",
      "ExtUnit",
    ]);
  });
});

test("variants and enums give their TypeScript types", () => {
  expectTypeOf<ValueOf<typeof Unit>>().toEqualTypeOf<"USDUnit" | "AmuletUnit" | "ExtUnit">();
  const Small = variant({ A: int64, B: optional(text) });
  expectTypeOf<ValueOf<typeof Small>>().toEqualTypeOf<
    { readonly tag: "A"; readonly value: bigint } | { readonly tag: "B"; readonly value: string | null }
  >();
  // @ts-expect-error: the value is another constructor's
  expect(() => Small.encode({ tag: "A", value: "x" })).toThrow();
  // @ts-expect-error: there is no such constructor
  expect(() => Small.encode({ tag: "C", value: 1n })).toThrow("Expected one of the constructors A, B");
});
