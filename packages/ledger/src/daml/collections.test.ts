import { describe, expect, expectTypeOf, test } from "vitest";
import type { PartyId } from "../values/party-id.ts";
import { type DamlMap, damlMap, damlSet, list, textMap } from "./collections.ts";
import type { ValueOf } from "./daml-type.ts";
import { ledgerJson, scanJson } from "./json-dialect.ts";
import { record } from "./record.ts";
import { int64, party, text, unit } from "./scalars.ts";

const Rounds = damlMap(record({ number: int64 }), text);
const Meta = textMap(int64);

describe("lists", () => {
  test.each([
    [{}, "", "Expected an array, got an object"],
    [{ 0: "1", length: 1 }, "", "Expected an array, got an object"],
    [null, "", "Expected an array, got null"],
    ["1", "", 'Expected an array, got string "1"'],
    [["1", "2", true, "x"], "[2]", "Expected a string, got boolean true at '[2]'"],
    [[null], "[0]", "Expected a string, got null at '[0]'"],
  ])("are refused with the place of what is wrong (%#)", (json, path, message) => {
    expect(() => list(int64).fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path, message }));
  });

  test("say the place in lists of lists of records", () => {
    const type = list(list(record({ a: int64 })));
    const json = [[], [{ a: "1" }, { a: "1" }, { a: "x" }]];
    expect(() => type.fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path: "[1][2].a" }));
    expect(() => type.decode([[], [["1"], ["01"]]])).toThrow(expect.objectContaining({ path: "[1][1].a" }));
  });

  test("are ordered element by element, the shorter first", () => {
    const ascending = [[], [1n], [1n, 2n], [1n, 3n], [2n]];
    expect(ascending.toReversed().sort(list(int64).compare)).toEqual(ascending);
  });
});

describe("maps", () => {
  test("unsorted pairs are sorted by the key's own order", () => {
    const json = [
      [{ number: "10" }, "b"],
      [{ number: "-1" }, "c"],
      [{ number: "9" }, "a"],
    ];
    const sorted = [
      [{ number: -1n }, "c"],
      [{ number: 9n }, "a"],
      [{ number: 10n }, "b"],
    ];
    expect(Rounds.fromJson(json, ledgerJson)).toEqual(sorted);
    expect(
      Rounds.decode(json.map(([round, value]) => [[(round as { number: string }).number], value])),
    ).toEqual(sorted);
    expect(json[0]).toEqual([{ number: "10" }, "b"]); // what was given is left as it was
  });

  test("have one text, in whatever order they were built", () => {
    const one: DamlMap<string, bigint> = [
      ["a", 1n],
      ["😀", 2n],
      ["\uffff", 3n],
    ];
    const other = one.toReversed();
    const expected = '[["a","1"],["\uffff","3"],["😀","2"]]';
    expect(Meta.encode(one)).toBe(expected);
    expect(Meta.encode(other)).toBe(expected);
    expect(JSON.stringify(Meta.toJson(other, ledgerJson))).toBe('{"a":"1","\uffff":"3","😀":"2"}');
    const Pairs = damlMap(text, int64);
    expect(Pairs.encode(other)).toBe(expected);
    expect(JSON.stringify(Pairs.toJson(other, scanJson))).toBe(expected);
  });

  test.each([
    [
      [
        [{ number: "1" }, "a"],
        [{ number: "1" }, "b"],
      ],
      "[1][0]",
    ],
    [
      [
        [{ number: "1" }, "a"],
        [{ number: "2" }, "b"],
        [{ number: "01" }, "c"],
      ],
      "[2][0]",
    ],
  ])("hold a key once (%#)", (json, path) => {
    expect(() => Rounds.fromJson(json, ledgerJson)).toThrow(
      expect.objectContaining({ path, message: `Key is given twice at '${path}'` }),
    );
  });

  test("hold a key once also in canonical data, and when contracts build them", () => {
    const repeated = [
      ["a", "1"],
      ["b", "1"],
      ["a", "2"],
    ];
    expect(() => Meta.decode(repeated)).toThrow("Key is given twice at '[2][0]'");
    expect(() =>
      Meta.encode([
        ["a", 1n],
        ["a", 1n],
      ]),
    ).toThrow("Key is given twice");
  });

  test.each([
    [{}, "", "Expected an array, got an object"],
    [[{}], "[0]", "Expected a [key, value] pair, got an object at '[0]'"],
    [[[{ number: "1" }]], "[0]", "Expected a [key, value] pair, got an array at '[0]'"],
    [[[{ number: "1" }, "a", "b"]], "[0]", "Expected a [key, value] pair, got an array at '[0]'"],
    [[[{ number: true }, "a"]], "[0][0].number", "Expected a string, got boolean true at '[0][0].number'"],
    [
      [
        [{ number: "1" }, "a"],
        [{ number: "2" }, 5],
      ],
      "[1][1]",
      "Expected a string, got number 5 at '[1][1]'",
    ],
  ])("are refused with the place of what is wrong (%#)", (json, path, message) => {
    expect(() => Rounds.fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path, message }));
  });

  test("are ordered by keys and values in turn, the shorter first", () => {
    const ascending: DamlMap<string, bigint>[] = [
      [],
      [["a", 1n]],
      [
        ["a", 1n],
        ["b", 0n],
      ],
      [["a", 2n]],
      [["b", 0n]],
    ];
    expect(ascending.toReversed().sort(Meta.compare)).toEqual(ascending);
  });
});

describe("text maps", () => {
  test.each([
    [[], "", "Expected an object, got an array"],
    [null, "", "Expected an object, got null"],
    [{ a: "1", "b.c": true }, '["b.c"]', "Expected a string, got boolean true at '[\"b.c\"]'"],
    [{ 'x"y': null }, '["x\\"y"]', 'Expected a string, got null at \'["x\\"y"]\''],
  ])("are refused with the key of what is wrong (%#)", (json, path, message) => {
    expect(() => Meta.fromJson(json, ledgerJson)).toThrow(expect.objectContaining({ path, message }));
  });

  test("say the key inside a record, and never a whole long one", () => {
    const type = record({ meta: record({ values: textMap(record({ a: text })) }) });
    expect(() => type.fromJson({ meta: { values: { k: { a: 1 } } } }, ledgerJson)).toThrow(
      expect.objectContaining({ path: 'meta.values["k"].a' }),
    );
    expect(() => type.fromJson({ meta: { values: { ["k".repeat(1_000_000)]: 1 } } }, ledgerJson)).toThrow(
      expect.objectContaining({ path: `meta.values["${"k".repeat(80)}"… (1000000 characters)]` }),
    );
  });

  test.each(["\u0000", "a\ud83d"])("have keys that can be stored: not %j", (key) => {
    expect(() => Meta.fromJson({ [key]: "1" }, ledgerJson)).toThrow(
      expect.objectContaining({ problem: "malformed-text" }),
    );
    expect(() => Meta.decode([[key, "1"]])).toThrow(expect.objectContaining({ problem: "malformed-text" }));
  });

  test("take keys that objects have a use for like any others", () => {
    const json = '{"__proto__":"1","constructor":"2","hasOwnProperty":"3","toString":"4"}';
    const value = Meta.fromJson(JSON.parse(json), ledgerJson);
    expect(value).toEqual([
      ["__proto__", 1n],
      ["constructor", 2n],
      ["hasOwnProperty", 3n],
      ["toString", 4n],
    ]);
    expect(Meta.encode(value)).toBe(
      '[["__proto__","1"],["constructor","2"],["hasOwnProperty","3"],["toString","4"]]',
    );
    expect(JSON.stringify(Meta.toJson(value, ledgerJson))).toBe(json);
    expect(({} as Record<string, unknown>)["1"]).toBe(undefined);
  });

  test("are sorted by code point, not by UTF-16 unit", () => {
    expect(Meta.fromJson({ "😀": "1", "\uffff": "2", b: "3", a: "4" }, ledgerJson)).toEqual([
      ["a", 4n],
      ["b", 3n],
      ["\uffff", 2n],
      ["😀", 1n],
    ]);
  });
});

describe("large and deep input", () => {
  test("a list of 200,000 elements is read and written", () => {
    const json = Array.from({ length: 200_000 }, (_, i) => `${i}`);
    const value = list(int64).fromJson(json, ledgerJson);
    expect(value.length).toBe(200_000);
    expect(list(int64).encode(value)).toBe(JSON.stringify(json));
  });

  test("a map of many unsorted keys is sorted in time", () => {
    const json = Array.from({ length: 50_000 }, (_, i) => [`${(i * 7919) % 50_000}`, "x"]);
    const value = damlMap(int64, text).fromJson(json, ledgerJson);
    expect(value.map(([key]) => key)).toEqual(Array.from({ length: 50_000 }, (_, i) => BigInt(i)));
  });

  test("a value nested a million times is refused at the first level that does not fit", () => {
    const depth = 1_000_000;
    const deep: unknown = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect(() => list(list(int64)).fromJson(deep, ledgerJson)).toThrow(
      "Expected a string, got an array at '[0][0]'",
    );
    expect(() => list(list(int64)).decode(deep)).toThrow(expect.objectContaining({ path: "[0][0]" }));
    expect(() => record({ a: int64 }).decode(deep)).toThrow(expect.objectContaining({ path: "a" }));
    expect(unit.fromJson(deep, ledgerJson)).toEqual({});
  });
});

test("collections give their TypeScript types", () => {
  expectTypeOf<ValueOf<typeof Rounds>>().toEqualTypeOf<
    readonly (readonly [{ readonly number: bigint }, string])[]
  >();
  expectTypeOf<ValueOf<typeof Meta>>().toEqualTypeOf<readonly (readonly [string, bigint])[]>();
  const Parties = damlSet(party);
  expectTypeOf<ValueOf<typeof Parties>["map"][number][0]>().toEqualTypeOf<PartyId>();
  const values = list(int64).fromJson(["1"], ledgerJson);
  // @ts-expect-error: a list is read-only
  expect(() => values.push(2n)).not.toThrow();
});
