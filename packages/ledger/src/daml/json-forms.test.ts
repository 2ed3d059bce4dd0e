// Every type in all its forms: the value, its canonical text, and its JSON in the three dialects.
import { describe, expect, test } from "vitest";
import type { ContractId } from "../values/contract-id.ts";
import type { LedgerDate } from "../values/date.ts";
import { decimal } from "../values/decimal.ts";
import type { PartyId } from "../values/party-id.ts";
import { time as instant } from "../values/time.ts";
import { damlMap, damlSet, list, textMap } from "./collections.ts";
import { type DamlType, decodeText } from "./daml-type.ts";
import { historyJson, ledgerJson, scanJson } from "./json-dialect.ts";
import { nestedOptional, optional } from "./optional.ts";
import { record, tuple } from "./record.ts";
import { bool, contractId, date, int64, numeric, party, text, time, unit } from "./scalars.ts";
import { enumeration, variant } from "./variant.ts";

const alice = `alice::1220${"a1".repeat(32)}` as PartyId;
const bob = `bob::1220${"b2".repeat(32)}` as PartyId;
const cid = `00${"c3".repeat(32)}ca101220${"d4".repeat(32)}` as ContractId;

interface Forms {
  readonly value: unknown;
  readonly text: string;
  readonly ledger: string;
  /** Left out where it is the ledger's. */
  readonly scan?: string;
  /** Left out where it is scan's. */
  readonly history?: string;
}

function forms<T>(
  name: string,
  type: DamlType<T>,
  rows: readonly (Forms & { readonly value: NoInfer<T> })[],
): void {
  describe(name, () => {
    test.each(rows)("$text", ({ value, text: canonical, ledger, scan = ledger, history = scan }) => {
      expect(type.encode(value)).toBe(canonical);
      expect(decodeText(type, canonical)).toEqual(value);
      const dialects = [
        [ledgerJson, ledger],
        [scanJson, scan],
        [historyJson, history],
      ] as const;
      for (const [dialect, json] of dialects) {
        expect(JSON.stringify(type.toJson(value, dialect))).toBe(json);
        expect(type.fromJson(JSON.parse(json), dialect)).toEqual(value);
      }
    });
  });
}

forms("unit", unit, [{ value: {}, text: "[]", ledger: "{}" }]);

forms("bool", bool, [
  { value: true, text: "true", ledger: "true" },
  { value: false, text: "false", ledger: "false" },
]);

forms("int64", int64, [
  { value: 0n, text: '"0"', ledger: '"0"' },
  { value: 42n, text: '"42"', ledger: '"42"' },
  { value: -42n, text: '"-42"', ledger: '"-42"' },
  { value: 999_999_999_999_999n, text: '"999999999999999"', ledger: '"999999999999999"' },
  { value: 1_000_000_000_000_000n, text: '"1000000000000000"', ledger: '"1000000000000000"' },
  { value: 2n ** 63n - 1n, text: '"9223372036854775807"', ledger: '"9223372036854775807"' },
  { value: -(2n ** 63n), text: '"-9223372036854775808"', ledger: '"-9223372036854775808"' },
]);

forms("numeric", numeric, [
  { value: decimal("0"), text: '"0"', ledger: '"0.0000000000"', scan: '"0.0"', history: '"0E-10"' },
  {
    value: decimal("1"),
    text: '"10000000000"',
    ledger: '"1.0000000000"',
    scan: '"1.0"',
    history: '"1.0000000000"',
  },
  {
    value: decimal("0.005"),
    text: '"50000000"',
    ledger: '"0.0050000000"',
    scan: '"0.005"',
    history: '"0.0050000000"',
  },
  {
    value: decimal("-0.0000000015"),
    text: '"-15"',
    ledger: '"-0.0000000015"',
    scan: '"-0.0000000015"',
    history: '"-1.5E-9"',
  },
  {
    value: decimal(`${"9".repeat(28)}.9999999999`),
    text: `"${"9".repeat(38)}"`,
    ledger: `"${"9".repeat(28)}.9999999999"`,
  },
]);

forms("text", text, [
  { value: "", text: '""', ledger: '""' },
  { value: 'ANS "entry"\n\\', text: '"ANS \\"entry\\"\\n\\\\"', ledger: '"ANS \\"entry\\"\\n\\\\"' },
  { value: "grüße 😀 \u2028", text: '"grüße 😀 \u2028"', ledger: '"grüße 😀 \u2028"' },
  { value: "\u0001\u001f", text: '"\\u0001\\u001f"', ledger: '"\\u0001\\u001f"' },
]);

forms("party", party, [{ value: alice, text: `"${alice}"`, ledger: `"${alice}"` }]);

forms("contract id", contractId, [{ value: cid, text: `"${cid}"`, ledger: `"${cid}"` }]);

forms("time", time, [
  { value: instant("1970-01-01T00:00:00Z"), text: '"0"', ledger: '"1970-01-01T00:00:00Z"' },
  {
    value: instant("2026-01-31T12:00:00.5Z"),
    text: '"1769860800500000"',
    ledger: '"2026-01-31T12:00:00.5Z"',
    scan: '"2026-01-31T12:00:00.500Z"',
  },
  {
    value: instant("2026-01-31T12:00:00.00001Z"),
    text: '"1769860800000010"',
    ledger: '"2026-01-31T12:00:00.00001Z"',
    scan: '"2026-01-31T12:00:00.000010Z"',
  },
  {
    value: instant("0001-01-01T00:00:00Z"),
    text: '"-62135596800000000"',
    ledger: '"0001-01-01T00:00:00Z"',
  },
]);

forms("date", date, [
  { value: 20_484n as LedgerDate, text: '"20484"', ledger: '"2026-01-31"' },
  { value: -1n as LedgerDate, text: '"-1"', ledger: '"1969-12-31"' },
]);

forms("list", list(int64), [
  { value: [], text: "[]", ledger: "[]" },
  { value: [1n, 2n, 1n], text: '["1","2","1"]', ledger: '["1","2","1"]' },
]);

forms("text map", textMap(int64), [
  { value: [], text: "[]", ledger: "{}" },
  {
    value: [
      ["a", 1n],
      ["b", 2n],
    ],
    text: '[["a","1"],["b","2"]]',
    ledger: '{"a":"1","b":"2"}',
  },
  { value: [["", 1n]], text: '[["","1"]]', ledger: '{"":"1"}' },
]);

forms("map", damlMap(record({ number: int64 }), text), [
  { value: [], text: "[]", ledger: "[]" },
  {
    value: [
      [{ number: 9n }, "x"],
      [{ number: 10n }, "y"],
    ],
    text: '[[["9"],"x"],[["10"],"y"]]',
    ledger: '[[{"number":"9"},"x"],[{"number":"10"},"y"]]',
  },
]);

forms("set", damlSet(party), [
  { value: { map: [] }, text: "[[]]", ledger: '{"map":[]}' },
  {
    value: {
      map: [
        [alice, {}],
        [bob, {}],
      ],
    },
    text: `[[["${alice}",[]],["${bob}",[]]]]`,
    ledger: `{"map":[["${alice}",{}],["${bob}",{}]]}`,
  },
]);

forms("tuple", tuple(text, numeric), [
  {
    value: { _1: "a", _2: decimal("0.5") },
    text: '["a","5000000000"]',
    ledger: '{"_1":"a","_2":"0.5000000000"}',
    scan: '{"_1":"a","_2":"0.5"}',
    history: '{"_1":"a","_2":"0.5000000000"}',
  },
]);

forms("record", record({ a: int64, b: optional(text), c: bool, d: optional(text), e: optional(int64) }), [
  {
    value: { a: 1n, b: "x", c: true, d: "y", e: 2n },
    text: '["1",["x"],true,["y"],["2"]]',
    ledger: '{"a":"1","b":"x","c":true,"d":"y","e":"2"}',
  },
  {
    // Only the None fields at the end are left out.
    value: { a: 1n, b: null, c: true, d: null, e: null },
    text: '["1",null,true,null,null]',
    ledger: '{"a":"1","b":null,"c":true}',
    scan: '{"a":"1","b":null,"c":true,"d":null,"e":null}',
  },
  {
    value: { a: 1n, b: null, c: true, d: null, e: 2n },
    text: '["1",null,true,null,["2"]]',
    ledger: '{"a":"1","b":null,"c":true,"d":null,"e":"2"}',
  },
]);

forms("record without fields", record({}), [{ value: {}, text: "[]", ledger: "{}" }]);

forms("record of optional fields only", record({ a: optional(text) }), [
  { value: { a: null }, text: "[null]", ledger: "{}", scan: '{"a":null}' },
]);

forms("record with names that objects inherit", record({ constructor: text, toString: optional(text) }), [
  {
    value: { constructor: "a", toString: null },
    text: '["a",null]',
    ledger: '{"constructor":"a"}',
    scan: '{"constructor":"a","toString":null}',
  },
]);

forms(
  "variant",
  variant({ InputAmulet: contractId, Tap: record({ amount: numeric }), Merge: unit, Change: optional(text) }),
  [
    {
      value: { tag: "InputAmulet", value: cid },
      text: `["InputAmulet","${cid}"]`,
      ledger: `{"tag":"InputAmulet","value":"${cid}"}`,
    },
    {
      value: { tag: "Tap", value: { amount: decimal("10") } },
      text: '["Tap",["100000000000"]]',
      ledger: '{"tag":"Tap","value":{"amount":"10.0000000000"}}',
      scan: '{"tag":"Tap","value":{"amount":"10.0"}}',
      history: '{"tag":"Tap","value":{"amount":"10.0000000000"}}',
    },
    { value: { tag: "Merge", value: {} }, text: '["Merge",[]]', ledger: '{"tag":"Merge","value":{}}' },
    {
      value: { tag: "Change", value: null },
      text: '["Change",null]',
      ledger: '{"tag":"Change","value":null}',
    },
  ],
);

forms("enum", enumeration("USDUnit", "AmuletUnit", "ExtUnit"), [
  { value: "USDUnit", text: '"USDUnit"', ledger: '"USDUnit"' },
]);

forms("optional", optional(text), [
  { value: null, text: "null", ledger: "null" },
  { value: "a", text: '["a"]', ledger: '"a"' },
  { value: "", text: '[""]', ledger: '""' },
]);

forms("optional of what is an array or an object itself", optional(list(optional(unit))), [
  { value: null, text: "null", ledger: "null" },
  { value: [], text: "[[]]", ledger: "[]" },
  { value: [null, {}], text: "[[null,[[]]]]", ledger: "[null,{}]" },
]);

forms("optional of optional", nestedOptional(optional(int64)), [
  { value: null, text: "null", ledger: "[]", scan: "null" },
  { value: { some: null }, text: "[null]", ledger: "[[]]", scan: "[]" },
  { value: { some: 7n }, text: '[["7"]]', ledger: '[["7"]]', scan: '["7"]' },
]);

forms("three optionals", nestedOptional(nestedOptional(optional(int64))), [
  { value: null, text: "null", ledger: "[]", scan: "null" },
  { value: { some: null }, text: "[null]", ledger: "[[]]", scan: "[]" },
  { value: { some: { some: null } }, text: "[[null]]", ledger: "[[[]]]", scan: "[[]]" },
  { value: { some: { some: 7n } }, text: '[[["7"]]]', ledger: '[[["7"]]]', scan: '[["7"]]' },
]);

forms(
  "record that ends with nested optionals",
  record({ a: optional(text), b: nestedOptional(optional(text)), c: optional(text) }),
  [
    {
      // Nested, None is an array in the ledger's JSON: it is shown, and so is all before it.
      value: { a: null, b: null, c: null },
      text: "[null,null,null]",
      ledger: '{"a":null,"b":[]}',
      scan: '{"a":null,"b":null,"c":null}',
    },
  ],
);
