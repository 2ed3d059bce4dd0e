import { describe, expect, test } from "vitest";
import { ArithmeticFailure } from "../values/arithmetic-failure.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import type { PartyId } from "../values/party-id.ts";
import { time as instant } from "../values/time.ts";
import type { AnyDamlType } from "./daml-type.ts";
import { historyJson, ledgerJson, scanJson } from "./json-dialect.ts";
import { bool, contractId, date, int64, numeric, party, text, time, unit } from "./scalars.ts";

const alice = `alice::1220${"a1".repeat(32)}`;
const cid = `00${"c3".repeat(32)}`;

/** Values that no scalar but unit takes, in either form. */
const never: readonly unknown[] = [null, undefined, [], {}, ["1"], { value: "1" }, Symbol.iterator, 1n];

describe("JSON that is refused", () => {
  test.each<readonly [string, AnyDamlType, readonly unknown[]]>([
    ["bool", bool, [...never, "true", 0, 1, ""]],
    ["int64", int64, [...never, true, "", "1.0", "+1", "1e3", "9223372036854775808", "ten"]],
    ["int64", int64, [1.5, 2 ** 53, -(2 ** 53), 1e21, 1e300, Number.NaN, Number.POSITIVE_INFINITY]],
    ["numeric", numeric, [...never, true, "", "1.", ".5", "+1", "1e3", "1.12345678901", "1".repeat(29)]],
    ["text", text, [...never, 1, true]],
    ["party", party, [...never, 1, "", "alice", "alice::", `${alice}é`]],
    ["contract id", contractId, [...never, 1, "", "00", cid.toUpperCase().replace("00C", "00c"), `#${cid}`]],
    ["time", time, [...never, 0, "", "2026-01-31", "2026-01-31T12:00:00", "0"]],
    ["date", date, [...never, 0, "", "2026-02-30", "2026-01-31T12:00:00Z", "20484"]],
  ])("%s", (_name, type, refused) => {
    for (const json of refused) {
      for (const dialect of [ledgerJson, scanJson, historyJson]) {
        expect(() => type.fromJson(json, dialect)).toThrow(
          expect.objectContaining({ name: "DecodeError", problem: "invalid", path: "" }),
        );
      }
    }
  });

  test("unit takes anything, as Canton does", () => {
    for (const json of [{}, [], null, "x", { a: 1 }]) expect(unit.fromJson(json, ledgerJson)).toEqual({});
  });

  test.each([
    [int64, "ten", 'integer "ten" is not valid: an integer lies between'],
    [int64, 1.5, "Expected a whole number below 2^53, or a string, got number 1.5"],
    [int64, {}, "Expected a string, got an object"],
    [numeric, "1,5", 'decimal "1,5" is not valid'],
    [numeric, 0.123_456_789_01, "Expected at most 15 digits, 10 of them after the point, or a string, got"],
    [bool, "yes", 'Expected true or false, got string "yes"'],
    [text, 7, "Expected a string, got number 7"],
    [party, "alice", 'Expected a party id such as alice::1220…, got string "alice"'],
    [contractId, "#1", 'Expected a contract id (lower-case hex, 00…), got string "#1"'],
    [time, "noon", 'time "noon" is not valid'],
    [date, "today", 'date "today" is not valid'],
  ])("%# says what was given and what is allowed", (type, json, message) => {
    expect(() => type.fromJson(json, ledgerJson)).toThrow(message);
  });

  test("huge input is not repeated in the message", () => {
    const huge = "x".repeat(5_000_000);
    for (const type of [int64, numeric, party, contractId, time, date, bool]) {
      expect(() => type.fromJson(huge, ledgerJson)).toThrow(
        expect.objectContaining({ message: expect.stringMatching(/^.{1,400}$/s) }),
      );
    }
    expect(text.fromJson(huge, ledgerJson)).toBe(huge);
  });
});

describe("canonical text that is refused", () => {
  test.each<readonly [string, AnyDamlType, readonly unknown[]]>([
    ["unit", unit, [null, {}, ["x"], "x", true]],
    ["bool", bool, [...never, "true", 1]],
    ["int64", int64, [...never, 1, "", "-", "-0", "01", "-01", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "९"]],
    ["int64 beyond 64 bits", int64, ["9223372036854775808", "-9223372036854775809", "1".repeat(1_000_000)]],
    ["numeric", numeric, [...never, 1, "1.0", "00", `1${"0".repeat(38)}`, `-1${"0".repeat(38)}`]],
    ["time", time, [...never, "-62135596800000001", "253402300800000000", "2026-01-31T12:00:00Z"]],
    ["date", date, [...never, "-719163", "2932897", "2026-01-31"]],
    ["text", text, [...never, 1]],
    ["party", party, [...never, "alice"]],
    ["contract id", contractId, [...never, "00"]],
  ])("%s", (_name, type, refused) => {
    for (const data of refused) {
      expect(() => type.decode(data)).toThrow(expect.objectContaining({ name: "DecodeError", path: "" }));
    }
  });

  test("the message says the type and what was given", () => {
    expect(() => int64.decode("01")).toThrow('Expected Int64 as a string of digits, got string "01"');
  });
});

describe("JSON numbers, which are doubles by the time they are seen", () => {
  test.each([
    [0, 0n],
    [-0, 0n],
    [42, 42n],
    [-42, -42n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    [Number.MIN_SAFE_INTEGER, -9_007_199_254_740_991n],
  ])("int64: %s", (json, value) => {
    expect(int64.fromJson(json, ledgerJson)).toBe(value);
  });

  test.each([
    ["0", "0.0"],
    ["-0", "0.0"],
    ["1", "1.0"],
    ["0.1", "0.1"],
    ["-0.005", "-0.005"],
    ["1e-10", "0.0000000001"],
    ["1.5e-9", "0.0000000015"],
    // To ten places this double reads 1234567.1000000001.
    ["1234567.1", "1234567.1"],
    ["99999.9999999999", "99999.9999999999"],
    ["123456789012.345", "123456789012.345"],
    ["999999999999999", "999999999999999.0"],
    ["1e14", "100000000000000.0"],
  ])("numeric: %s", (json, expected) => {
    expect(numeric.fromJson(JSON.parse(json), ledgerJson)).toBe(decimal(expected));
  });

  test.each([
    "1e-11",
    "0.12345678901",
    "1.00000000001",
    "1234567.123456789", // 16 digits
    "12345678901234.5678", // the double is 12345678901234.568
    "1e15",
    "9007199254740993", // the double is …992
    "1e28",
    "1e300",
    "1e400", // JSON's way to infinity
  ])("numeric: not %s", (json) => {
    expect(() => numeric.fromJson(JSON.parse(json), ledgerJson)).toThrow(
      "Expected at most 15 digits, 10 of them after the point, or a string",
    );
  });
});

describe("text", () => {
  test.each(["\u0000", "a\u0000b", "\ud83d", "a\ude00", "\ude00\ud83d"])("refuses %j", (given) => {
    for (const read of [
      (data: string) => text.decode(data),
      (json: string) => text.fromJson(json, scanJson),
    ]) {
      expect(() => read(given)).toThrow(
        expect.objectContaining({
          problem: "malformed-text",
          message: "Text must not contain U+0000 or lone surrogates",
        }),
      );
    }
  });

  test("is not normalised: composed and decomposed letters stay apart", () => {
    expect(text.encode(text.fromJson("é", ledgerJson))).not.toBe(
      text.encode(text.fromJson("e\u0301", ledgerJson)),
    );
  });
});

test("a time may come with an offset, with capital or small letters", () => {
  const noon = instant("2026-01-31T12:00:00Z");
  for (const json of ["2026-01-31T14:00:00+02:00", "2026-01-31t12:00:00z", "2026-01-31T12:00:00.0000009Z"]) {
    expect(time.fromJson(json, ledgerJson)).toBe(noon);
  }
});

test("an integer that left its 64 bits is an arithmetic failure, not a text that cannot be read", () => {
  expect(int64.encode(2n ** 63n - 1n)).toBe('"9223372036854775807"');
  expect(() => int64.encode(2n ** 63n)).toThrow(ArithmeticFailure);
  expect(() => int64.encode(-(2n ** 63n) - 1n)).toThrow(ArithmeticFailure);
});

describe("order", () => {
  test.each<readonly [string, AnyDamlType, readonly unknown[]]>([
    ["bool", bool, [false, true]],
    ["int64", int64, [-(2n ** 63n), -1n, 0n, 9n, 10n, 2n ** 63n - 1n]],
    ["numeric", numeric, [decimal("-1"), decimal("-0.5"), decimal("0"), decimal("9"), decimal("10")]],
    ["text", text, ["", "A", "a", "aa", "b", "é", "\uffff", "😀"]],
    ["party", party, ["A::1", "a b::1", "a::1", "a::2"] as PartyId[]],
    ["contract id", contractId, [cid, `${cid}00`, `${cid}ff`, `01${"00".repeat(12)}`] as ContractId[]],
    ["time", time, [instant("1969-12-31T23:59:59Z"), instant("1970-01-01T00:00:00Z")]],
    ["date", date, [-1n, 0n, 1n]],
  ])("%s", (_name, type, ascending) => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expect(Math.sign(type.compare(a, b))).toBe(Math.sign(i - j));
    }
  });

  test("of two units is equal: there is one unit", () => {
    expect(unit.compare({}, {})).toBe(0);
  });
});
