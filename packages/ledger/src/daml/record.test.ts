import { describe, expect, expectTypeOf, test } from "vitest";
import type { Decimal } from "../values/decimal.ts";
import type { DamlType, ValueOf } from "./daml-type.ts";
import { ledgerJson, scanJson } from "./json-dialect.ts";
import { nestedOptional, optional, type Some } from "./optional.ts";
import { extendedRecord, record, tuple } from "./record.ts";
import { bool, int64, numeric, text } from "./scalars.ts";

const Amount = record({ amount: numeric, unit: text });
const Payment = record({ id: int64, data: Amount, memo: optional(text), extra: optional(Amount) });

/** A JSON object whose own key is __proto__, as only JSON.parse makes it. */
const withProto = (value: string) => JSON.parse(`{"a":"x","__proto__":${value}}`);

describe("fields in JSON", () => {
  test("come in any order", () => {
    expect(Amount.fromJson({ unit: "USD", amount: "1" }, ledgerJson)).toEqual({
      amount: 10_000_000_000n,
      unit: "USD",
    });
  });

  test("optional fields may be missing or null", () => {
    const expected = { id: 1n, data: { amount: 0n, unit: "" }, memo: null, extra: null };
    const data = { amount: "0", unit: "" };
    expect(Payment.fromJson({ id: "1", data }, ledgerJson)).toEqual(expected);
    expect(Payment.fromJson({ id: "1", data, memo: null, extra: null }, ledgerJson)).toEqual(expected);
    expect(Payment.fromJson({ id: "1", data }, scanJson)).toEqual(expected);
  });

  test("fields of nested optionals may be missing too", () => {
    const Nested = record({ a: nestedOptional(optional(text)) });
    expect(Nested.fromJson({}, ledgerJson)).toEqual({ a: null });
    expect(Nested.fromJson({}, scanJson)).toEqual({ a: null });
    expect(() => Nested.fromJson({ a: null }, ledgerJson)).toThrow("Expected [] or [value], got null at 'a'");
  });

  test("unknown fields are ignored if null", () => {
    expect(Amount.fromJson({ amount: "1", unit: "", note: null }, ledgerJson)).toEqual({
      amount: 10_000_000_000n,
      unit: "",
    });
  });

  test.each([
    [{ amount: "1", unit: "", note: "x" }, 'Unexpected fields: "note"'],
    [{ amount: "1", unit: "", note: false, b: null, c: {} }, 'Unexpected fields: "note", "c"'],
    [{ amount: "1", unit: "", constructor: "x" }, 'Unexpected fields: "constructor"'],
    [
      { amount: "1", unit: "", toString: 1, hasOwnProperty: 1 },
      'Unexpected fields: "toString", "hasOwnProperty"',
    ],
    [{ amount: "1", unit: "", Amount: "1" }, 'Unexpected fields: "Amount"'],
  ])("unknown fields with a value are refused (%#)", (json, message) => {
    expect(() => Amount.fromJson(json, ledgerJson)).toThrow(
      expect.objectContaining({ message, problem: "unexpected-field", path: "" }),
    );
  });

  test.each([
    [{}, "Missing non-optional fields: Set(amount, unit)"],
    [{ amount: "1" }, "Missing non-optional fields: Set(unit)"],
    // Missing fields are reported before unexpected ones, as Canton does.
    [{ amount: "1", note: "x" }, "Missing non-optional fields: Set(unit)"],
  ])("must all be there (%#)", (json, message) => {
    expect(() => Amount.fromJson(json, ledgerJson)).toThrow(
      expect.objectContaining({ message, problem: "missing-field", path: "" }),
    );
  });

  test("must be the object's own: inherited names do not count", () => {
    const Odd = record({ constructor: text });
    expect(() => Odd.fromJson({}, ledgerJson)).toThrow("Missing non-optional fields: Set(constructor)");
    expect(Odd.fromJson(JSON.parse('{"constructor":"x"}'), ledgerJson)).toEqual({ constructor: "x" });
  });

  test("many and long unknown names make a short message", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => [`${i}${"x".repeat(1000)}`, 1]);
    expect(() => record({}).fromJson(Object.fromEntries(names), ledgerJson)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^Unexpected fields: .{1,1500}$/) }),
    );
  });
});

describe("__proto__", () => {
  const A = record({ a: text });

  test("is an unknown field like any other", () => {
    expect(() => A.fromJson(withProto('{"b":1}'), ledgerJson)).toThrow('Unexpected fields: "__proto__"');
    const read = A.fromJson(withProto("null"), ledgerJson);
    expect(read).toEqual({ a: "x" });
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test("does not lend its own fields to the record", () => {
    expect(() => A.fromJson(JSON.parse('{"__proto__":{"a":"x"}}'), ledgerJson)).toThrow(
      "Missing non-optional fields: Set(a)",
    );
  });

  test("cannot name a field of ours: JavaScript would lose it", () => {
    expect(() => record({ ["__proto__"]: text })).toThrow("a field cannot be called __proto__");
  });
});

describe("the path of what is wrong", () => {
  const Outer = record({ payment: Payment, ok: bool });
  const payment = { id: "1", data: { amount: "1", unit: "" } };

  test.each([
    [{ payment, ok: 1 }, "ok", "Expected true or false, got number 1 at 'ok'"],
    [{ payment: [], ok: true }, "payment", "Expected an object, got an array at 'payment'"],
    [{ payment: null, ok: true }, "payment", "Expected an object, got null at 'payment'"],
    [
      { payment: { ...payment, data: { amount: true, unit: "" } }, ok: true },
      "payment.data.amount",
      "Expected a string, got boolean true at 'payment.data.amount'",
    ],
    [
      { payment: { ...payment, extra: { amount: "1", unit: 5 } }, ok: true },
      "payment.extra.unit",
      "Expected a string, got number 5 at 'payment.extra.unit'",
    ],
    [
      { payment: { ...payment, data: {} }, ok: true },
      "payment.data",
      "Missing non-optional fields: Set(amount, unit) at 'payment.data'",
    ],
    [
      { payment: { ...payment, data: { amount: "1", unit: "", x: 1 } }, ok: true },
      "payment.data",
      "Unexpected fields: \"x\" at 'payment.data'",
    ],
  ])("leads to the wrong value in JSON (%#)", (json, path, message) => {
    expect(() => Outer.fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path, message }));
  });

  test.each([
    [[["1", ["1", ""], null, null], 1], "ok"],
    [[["1", ["x", ""], null, null], true], "payment.data.amount"],
    [[["1", ["1", ""], ["a", "b"], null], true], "payment.memo"],
    [[["1", ["1", ""], null, [["1", 1]]], true], "payment.extra.unit"],
    [[["1", ["1"]], true], "payment.data.unit"],
    [[["1", ["1", "", ""]], true], "payment.data"],
    [[[], true], "payment.id"],
    [[{}, true], "payment"],
    [{}, ""],
    [["a", "b", "c"], ""],
  ])("leads to the wrong value in canonical data (%#)", (data, path) => {
    expect(() => Outer.decode(data)).toThrow(expect.objectContaining({ name: "DecodeError", path }));
  });
});

describe("the canonical text of an older version", () => {
  test("lacks optional fields at the end, which are None", () => {
    expect(Payment.decode(["1", ["1", ""]])).toEqual({
      id: 1n,
      data: { amount: 1n, unit: "" },
      memo: null,
      extra: null,
    });
  });

  test("lacks no others", () => {
    expect(() => Payment.decode(["1"])).toThrow(
      expect.objectContaining({ problem: "missing-field", message: "Missing non-optional field at 'data'" }),
    );
  });
});

describe("a record that got more fields", () => {
  const Extended = extendedRecord({ a: text, b: optional(text) }, { c: optional(text), d: optional(int64) });

  test("keeps its earlier text as long as they are None, and has one text", () => {
    expect(Extended.encode({ a: "x", b: null, c: null, d: null })).toBe('["x",null]');
    expect(Extended.encode({ a: "x", b: null, c: "y", d: null })).toBe('["x",null,["y"]]');
    expect(Extended.encode({ a: "x", b: null, c: null, d: 1n })).toBe('["x",null,null,["1"]]');
  });

  test("is read from its earlier text", () => {
    expect(Extended.decode(["x", null])).toEqual({ a: "x", b: null, c: null, d: null });
  });
});

test("records are ordered by their first fields first", () => {
  const pair = tuple(int64, text);
  const [a, b, c] = [
    { _1: 1n, _2: "b" },
    { _1: 2n, _2: "a" },
    { _1: 2n, _2: "b" },
  ] as const;
  expect([c, a, b].sort(pair.compare)).toEqual([a, b, c]);
  expect(pair.compare(a, { ...a })).toBe(0);
});

test("a record gives its TypeScript type", () => {
  type Value = ValueOf<typeof Payment>;
  expectTypeOf<Value>().toEqualTypeOf<{
    readonly id: bigint;
    readonly data: { readonly amount: Decimal; readonly unit: string };
    readonly memo: string | null;
    readonly extra: { readonly amount: Decimal; readonly unit: string } | null;
  }>();
  expectTypeOf(tuple(int64, bool)).toExtend<DamlType<{ readonly _1: bigint; readonly _2: boolean }>>();
  const Nested = record({ a: nestedOptional(optional(int64)) });
  expectTypeOf<ValueOf<typeof Nested>>().toEqualTypeOf<{ readonly a: Some<bigint | null> | null }>();

  const amount: ValueOf<typeof Amount> = Amount.fromJson({ amount: "1", unit: "" }, ledgerJson);
  // @ts-expect-error: a field is read-only
  amount.unit = "USD";
  // @ts-expect-error: there is no such field
  expect(amount.note).toBe(undefined);
  // @ts-expect-error: a plain bigint is no decimal
  Amount.encode({ amount: 1n, unit: "" });
  // @ts-expect-error: a field is missing
  expect(() => Amount.encode({ amount: amount.amount })).not.toThrow(TypeError);
  // @ts-expect-error: None is null, it is not left out
  expect(() => Payment.encode({ id: 1n, data: amount, memo: "x" })).toThrow();
});
