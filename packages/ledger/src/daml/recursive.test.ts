import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnyValue } from "../contracts/splice-api-token-v1/metadata.ts";
import { decimalFromUnits } from "../values/decimal.ts";
import { timeFromMicros } from "../values/time.ts";
import { decodeText } from "./daml-type.ts";
import { DecodeError } from "./decode-error.ts";
import { ledgerJson, scanJson } from "./json-dialect.ts";
import { MAX_NESTING } from "./recursive.ts";

const leaf: fc.Arbitrary<AnyValue> = fc.oneof(
  fc.string({ unit: "grapheme-ascii" }).map((value): AnyValue => ({ tag: "AV_Text", value })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): AnyValue => ({ tag: "AV_Int", value })),
  fc
    .bigInt({ min: -(10n ** 37n), max: 10n ** 37n })
    .map((units): AnyValue => ({ tag: "AV_Decimal", value: decimalFromUnits(units) })),
  fc.boolean().map((value): AnyValue => ({ tag: "AV_Bool", value })),
  fc
    .bigInt({ min: 0n, max: 10n ** 15n })
    .map((micros): AnyValue => ({ tag: "AV_Time", value: timeFromMicros(micros) })),
);

const anyValue: fc.Arbitrary<AnyValue> = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }).map((value): AnyValue => ({ tag: "AV_List", value })),
    fc
      .uniqueArray(fc.tuple(fc.string({ unit: "grapheme-ascii" }), tie("value")), {
        maxLength: 3,
        selector: ([key]) => key,
      })
      .map((pairs): AnyValue => ({ tag: "AV_Map", value: pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)) })),
  ),
})).value;

describe("a value that holds values of its own type", () => {
  test("reads back the same from its text and from its JSON", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(decodeText(AnyValue, AnyValue.encode(value))).toEqual(value);
        for (const dialect of [ledgerJson, scanJson]) {
          expect(AnyValue.fromJson(AnyValue.toJson(value, dialect), dialect)).toEqual(value);
        }
        expect(AnyValue.compare(value, value)).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  test("reads as Daml's JSON does", () => {
    const value: AnyValue = {
      tag: "AV_Map",
      value: [
        ["expire-lock", { tag: "AV_Bool", value: true }],
        ["list", { tag: "AV_List", value: [{ tag: "AV_Int", value: 1n }] }],
      ],
    };
    expect(AnyValue.toJson(value, ledgerJson)).toEqual({
      tag: "AV_Map",
      value: {
        "expire-lock": { tag: "AV_Bool", value: true },
        list: { tag: "AV_List", value: [{ tag: "AV_Int", value: "1" }] },
      },
    });
  });
});

/** Lists in lists, so many of them, as JSON and as canonical text. */
function nested(depth: number): { readonly json: unknown; readonly text: string } {
  const wrap = (open: string, close: string, inner: string) =>
    open.repeat(depth - 1) + inner + close.repeat(depth - 1);
  return {
    json: JSON.parse(wrap('{"tag":"AV_List","value":[', "]}", '{"tag":"AV_Bool","value":true}')),
    text: wrap('["AV_List",[', "]]", '["AV_Bool",true]'),
  };
}

describe("nesting", () => {
  test("ends at a hundred", () => {
    const deepest = nested(MAX_NESTING);
    const value = decodeText(AnyValue, deepest.text);
    expect(AnyValue.fromJson(deepest.json, ledgerJson)).toEqual(value);
    expect(AnyValue.encode(value)).toBe(deepest.text);
  });

  test.each([101, 100_000])("of %i is refused and harms nothing after it", (depth) => {
    const { json, text } = nested(depth);
    const read = [() => AnyValue.fromJson(json, ledgerJson), () => decodeText(AnyValue, text)];
    for (const attempt of read) {
      expect(attempt).toThrow(DecodeError);
      expect(attempt).toThrow("Values are nested deeper than 100");
    }
    const { text: shallow } = nested(MAX_NESTING);
    expect(AnyValue.encode(decodeText(AnyValue, shallow))).toBe(shallow);
  });
});
