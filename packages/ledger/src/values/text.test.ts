import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareAscii, compareText, isStorableText, utf8Length } from "./text.ts";

describe("texts are ordered by code point", () => {
  test.each([
    ["", ""],
    ["a", "a"],
    ["😀", "😀"],
  ])("%j and %j are equal", (a, b) => {
    expect(compareText(a, b)).toBe(0);
  });

  test.each([
    ["", "a"],
    ["a", "b"],
    ["a", "aa"],
    ["Z", "a"],
    ["z", "é"],
    ["\uffff", "😀"], // by UTF-16 units it would be the other way round
    ["\ue000", "\u{10000}"],
    ["a\uffffz", "a😀a"],
    ["😀", "😀a"],
    ["\u{1f600}", "\u{1f601}"],
    ["\u{103ff}", "\u{10400}"],
    ["\ud7ff", "\ue000"],
  ])("%j comes before %j", (a, b) => {
    expect(compareText(a, b)).toBeLessThan(0);
    expect(compareText(b, a)).toBeGreaterThan(0);
  });

  test("the order is the one of the UTF-8 bytes", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });

  test("the order of ASCII texts is also that of JavaScript", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), fc.string({ unit: "grapheme-ascii" }), (a, b) => {
        expect(compareAscii(a, b)).toBe(Math.sign(compareText(a, b)));
      }),
    );
  });
});

describe("the length in UTF-8", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["é", 2],
    ["\u007f\u0080\u07ff\u0800\uffff", 1 + 2 + 2 + 3 + 3],
    ["😀", 4],
  ])("of %j is %i", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });

  test("is what Buffer counts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});

describe("a storable text", () => {
  test.each(["", "a\nb\tc", "\u0001", "\uffff", "😀", "e\u0301"])("may be %j", (text) => {
    expect(isStorableText(text)).toBe(true);
  });

  test.each(["\u0000", "a\u0000b", "\ud83d", "\ude00", "a\ud83d", "\ud83da", "\ude00\ud83d"])(
    "cannot be %j",
    (text) => {
      expect(isStorableText(text)).toBe(false);
    },
  );
});

/** Short texts over few characters, so that they often share a beginning; all lengths of UTF-8 among them. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "é", "\ue000", "\uffff", "😀", "\u{10ffff}"), maxLength: 4 }),
  fc.string({ unit: "binary" }),
);
