import { describe, expect, expectTypeOf, test } from "vitest";
import { list } from "./collections.ts";
import type { ValueOf } from "./daml-type.ts";
import { historyJson, ledgerJson, scanJson } from "./json-dialect.ts";
import { nestedOptional, optional, type Some } from "./optional.ts";
import { record } from "./record.ts";
import { int64, text } from "./scalars.ts";

const one = optional(int64);
const two = nestedOptional(one);
const three = nestedOptional(two);

describe("JSON that is refused", () => {
  test.each([
    ["one level", one, ["7"], "", "Expected a string, got an array"],
    ["one level", one, [], "", "Expected a string, got an array"],
    ["two levels: null", two, null, "", "Expected [] or [value], got null"],
    ["two levels: a bare value", two, "7", "", 'Expected [] or [value], got string "7"'],
    ["two levels: one array too few", two, ["7"], "[0]", "Expected [] or [value], got string \"7\" at '[0]'"],
    ["two levels: null inside", two, [null], "[0]", "Expected [] or [value], got null at '[0]'"],
    ["two levels: a wrong value", two, [[true]], "[0][0]", "Expected a string, got boolean true at '[0][0]'"],
    ["two levels: two values", two, [["7"], ["8"]], "", "Expected [] or [value], got an array"],
    [
      "two levels: two values inside",
      two,
      [["7", "8"]],
      "[0]",
      "Expected [] or [value], got an array at '[0]'",
    ],
    [
      "three levels: two arrays",
      three,
      [["7"]],
      "[0][0]",
      "Expected [] or [value], got string \"7\" at '[0][0]'",
    ],
  ])("by the ledger: %s", (_what, type, json, path, message) => {
    expect(() => type.fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path, message }));
  });

  test.each([
    ["two levels: a bare value", two, "7", ""],
    ["two levels: one array too many", two, [["7"]], "[0]"],
    ["two levels: two values", two, ["7", "8"], ""],
    ["three levels: one array too few", three, ["7"], "[0]"],
    ["three levels: null inside", three, [null], "[0]"],
  ])("by scan and its history: %s", (_what, type, json, path) => {
    for (const dialect of [scanJson, historyJson]) {
      expect(() => type.fromJson(json, dialect)).toThrow(
        expect.objectContaining({ name: "DecodeError", path }),
      );
    }
  });
});

test.each([
  [one, "7"],
  [one, []],
  [one, ["7", "8"]],
  [one, [null]],
  [one, {}],
  [two, ["7"]],
  [two, [["7"], null]],
  [two, [[null]]],
])("canonical data that is no optional is refused (%#)", (type, data) => {
  expect(() => type.decode(data)).toThrow(expect.objectContaining({ name: "DecodeError" }));
});

test("None and Some stay distinct in every dialect, to three levels", () => {
  const values: ValueOf<typeof three>[] = [
    null,
    { some: null },
    { some: { some: null } },
    { some: { some: 7n } },
  ];
  for (const dialect of [ledgerJson, scanJson, historyJson]) {
    const written = values.map((value) => JSON.stringify(three.toJson(value, dialect)));
    expect(new Set(written).size).toBe(4);
  }
  expect(new Set(values.map(three.encode)).size).toBe(4);
});

test("an optional inside a list or a record inside an optional starts anew", () => {
  const type = optional(list(two));
  const value = [null, { some: null }, { some: 7n }];
  expect(type.toJson(value, ledgerJson)).toEqual([[], [[]], [["7"]]]);
  expect(type.toJson(value, scanJson)).toEqual([null, [], ["7"]]);
  const Inner = optional(record({ a: optional(text) }));
  expect(Inner.toJson({ a: null }, ledgerJson)).toEqual({});
  expect(Inner.toJson({ a: null }, scanJson)).toEqual({ a: null });
});

test("None is ordered before Some", () => {
  expect([7n, null, 3n].sort(one.compare)).toEqual([null, 3n, 7n]);
  const ascending: ValueOf<typeof two>[] = [null, { some: null }, { some: 3n }, { some: 7n }];
  expect(ascending.toReversed().sort(two.compare)).toEqual(ascending);
  expect([one.compare(null, null), two.compare({ some: null }, { some: null })]).toEqual([0, 0]);
});

test("an optional of an optional must be declared nestedOptional", () => {
  expect(() => optional(optional(int64))).toThrow("nestedOptional");
  expect(() => optional(nestedOptional(optional(int64)))).toThrow("nestedOptional");
});

test("optionals give their TypeScript types", () => {
  expectTypeOf<ValueOf<typeof one>>().toEqualTypeOf<bigint | null>();
  expectTypeOf<ValueOf<typeof two>>().toEqualTypeOf<Some<bigint | null> | null>();
  expectTypeOf<ValueOf<typeof three>>().toEqualTypeOf<Some<Some<bigint | null> | null> | null>();
  // @ts-expect-error: what is not optional is not nested
  expect(() => nestedOptional(int64).toJson({ some: 1n }, ledgerJson)).toThrow();
});
