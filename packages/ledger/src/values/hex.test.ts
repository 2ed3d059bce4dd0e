import fc from "fast-check";
import { expect, test } from "vitest";
import { isHex } from "./hex.ts";

test("hex digits are lower-case, and any number of them is hex", () => {
  expect(isHex("")).toBe(true);
  expect(isHex("0123456789abcdef")).toBe(true);
  for (const other of ["A", "g", "0x", " ", "0\n", "`", "/", ":", "é", "ā", "\uff10", "😀"])
    expect(isHex(other), other).toBe(false);
});

test("the table says what a regular expression says", () => {
  const unit = fc.oneof(fc.constantFrom(..."0189afAFgG"), fc.string({ unit: "binary", maxLength: 1 }));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      expect(isHex(text)).toBe(/^[0-9a-f]*$/.test(text) && !text.endsWith("\n"));
    }),
  );
});
