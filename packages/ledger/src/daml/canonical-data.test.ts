import { expect, test } from "vitest";
import { canonicalData } from "./canonical-data.ts";
import { decodeText } from "./daml-type.ts";
import { ledgerJson } from "./json-dialect.ts";
import { record } from "./record.ts";
import { text } from "./scalars.ts";

const Command = record({ templateId: text, payload: canonicalData });

test.each([
  '["a",null]',
  '["a",[]]',
  '["a",["x",["1",true,null],[["k","v"]]]]',
  '["a","\\u0000 and \\ud83d are for the type to refuse"]',
  '["a",{"__proto__":1}]',
])("data of an unknown type passes through: %s", (canonical) => {
  expect(Command.encode(decodeText(Command, canonical))).toBe(canonical);
});

test.each([
  '["a", []]',
  '["a",1.0]',
  '["a",1e400]',
  '["a","\\u0061"]',
  '["a",{"b":1,"b":2}]',
  '["a",{"b":1,"1":2}]',
])("a text that is not canonical shows by being written differently: %s", (given) => {
  expect(Command.encode(decodeText(Command, given))).not.toBe(given);
});

test("missing canonical data is refused", () => {
  expect(() => Command.decode(["a"])).toThrow("Missing non-optional field at 'payload'");
});

test("the value written by its type is decoded by its type", () => {
  const Inner = record({ name: text });
  const { payload } = decodeText(Command, `["a",${Inner.encode({ name: "alice" })}]`);
  expect(Inner.decode(payload)).toEqual({ name: "alice" });
});

test("canonical data is not optional: null is data, and is shown", () => {
  const command = { templateId: "a", payload: null };
  expect(Command.toJson(command, ledgerJson)).toEqual(command);
  expect(Command.fromJson(command, ledgerJson)).toEqual(command);
});

test("the JSON of canonical data is the data, and it is ordered by its text", () => {
  expect(canonicalData.toJson(["1"], ledgerJson)).toEqual(["1"]);
  expect(canonicalData.fromJson(["1"], ledgerJson)).toEqual(["1"]);
  expect([["b"], ["a"]].sort(canonicalData.compare)).toEqual([["a"], ["b"]]);
});
