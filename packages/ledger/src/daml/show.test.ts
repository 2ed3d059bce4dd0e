import { describe, expect, test } from "vitest";
import { testParty } from "../../testing/sandbox.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { time as instant } from "../values/time.ts";
import { damlMap, damlSet, list, textMap } from "./collections.ts";
import type { AnyDamlType } from "./daml-type.ts";
import { nestedOptional, optional } from "./optional.ts";
import { record, tuple } from "./record.ts";
import { bool, contractId, int64, numeric, party, text, time, unit } from "./scalars.ts";
import { showText } from "./show.ts";
import { enumeration, unitEnum, variant } from "./variant.ts";

// Worked out from the report of the Haskell language, section 6.3.4 and 2.6, whose `show` Daml took over.
const rendered: readonly (readonly [string, string])[] = [
  ["", '""'],
  ["alice.unverified.cns", '"alice.unverified.cns"'],
  [" !#$%&'()*+,-./09:;<=>?@AZ[]^_`az{|}~", '" !#$%&\'()*+,-./09:;<=>?@AZ[]^_`az{|}~"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["back\\slash", '"back\\\\slash"'],
  ["\u0007\b\t\n\u000b\f\r", '"\\a\\b\\t\\n\\v\\f\\r"'],
  ["\u0001\u0002\u0003\u0004\u0005\u0006", '"\\SOH\\STX\\ETX\\EOT\\ENQ\\ACK"'],
  ["\u000f\u0010\u0011\u0012\u0013\u0014", '"\\SI\\DLE\\DC1\\DC2\\DC3\\DC4"'],
  ["\u0015\u0016\u0017\u0018\u0019\u001a", '"\\NAK\\SYN\\ETB\\CAN\\EM\\SUB"'],
  ["\u001b\u001c\u001d\u001e\u001f", '"\\ESC\\FS\\GS\\RS\\US"'],
  ["\u0000", '"\\NUL"'],
  ["\u007f", '"\\DEL"'],
  ["é", '"\\233"'],
  ["\u0080", '"\\128"'],
  ["€uro", '"\\8364uro"'],
  ["😀", '"\\128512"'],
  // A digit behind a decimal escape would read as part of it.
  ["é1", '"\\233\\&1"'],
  ["é9", '"\\233\\&9"'],
  ["é0é5", '"\\233\\&0\\233\\&5"'],
  ["éa1", '"\\233a1"'],
  ["éé", '"\\233\\233"'],
  ["é\n1", '"\\233\\n1"'],
  ["é/", '"\\233/"'],
  ["é:", '"\\233:"'],
  ["\u007f1", '"\\DEL1"'],
  // `\SO` with an `H` behind it would read as `\SOH`.
  ["\u000eH", '"\\SO\\&H"'],
  ["\u000eh", '"\\SOh"'],
  ["\u000eI", '"\\SOI"'],
  ["\u000e", '"\\SO"'],
  ["\u000e1", '"\\SO1"'],
  ["éH", '"\\233H"'],
];

test.each(rendered)("the text %j shows as %s", (given, shown) => {
  expect(showText(given)).toBe(shown);
});

const Round = record("Round", { number: int64 });
const Choice = variant({ None_: unit, Number: int64, Named: Round, Inline: record({ x: int64, y: text }) });
const alice = testParty("alice");

describe("a value shows as Daml shows it", () => {
  test.each<readonly [AnyDamlType, unknown, string]>([
    [unit, {}, "()"],
    [bool, true, "True"],
    [int64, -7n, "-7"],
    [numeric, decimal("100.0"), "100.0"],
    [numeric, decimal("-0.0000000001"), "-0.0000000001"],
    [time, instant("2026-01-01T00:00:00Z"), "2026-01-01T00:00:00Z"],
    [time, instant("2026-01-01T00:00:00.5Z"), "2026-01-01T00:00:00.500Z"],
    [party, alice, `'${alice}'`],
    [contractId, `00${"ab".repeat(32)}` as ContractId, "<contract-id>"],
    [list(int64), [], "[]"],
    [list(int64), [1n, 2n], "[1,2]"],
    [optional(int64), null, "None"],
    [optional(int64), -1n, "Some -1"],
    [optional(Round), { number: 1n }, "Some (Round {number = 1})"],
    [nestedOptional(optional(int64)), { some: 3n }, "Some (Some 3)"],
    [nestedOptional(optional(int64)), { some: null }, "Some None"],
    [tuple(int64, Round), { _1: 1n, _2: { number: 2n } }, "(1,Round {number = 2})"],
    [
      damlMap(text, int64),
      [
        ["b", 2n],
        ["a", 1n],
      ],
      'Map [("a",1),("b",2)]',
    ],
    [textMap(int64), [["a", 1n]], 'TextMap [("a",1)]'],
    [damlSet(text), { map: [["a", {}]] }, 'Set ["a"]'],
    [enumeration("Red", "Blue"), "Blue", "Blue"],
    [unitEnum("Done"), {}, "Done"],
    [Choice, { tag: "None_", value: {} }, "None_"],
    [Choice, { tag: "Number", value: 5n }, "Number 5"],
    [Choice, { tag: "Named", value: { number: 1n } }, "Named (Round {number = 1})"],
    [Choice, { tag: "Inline", value: { x: 1n, y: "z" } }, 'Inline {x = 1, y = "z"}'],
    [optional(Choice), { tag: "Number", value: 5n }, "Some (Number 5)"],
    [
      record("Pair", { a: optional(Round), b: Round }),
      { a: null, b: { number: 1n } },
      "Pair {a = None, b = Round {number = 1}}",
    ],
  ])("%#", (type, value, shown) => {
    expect(type.show(value)).toBe(shown);
  });
});
