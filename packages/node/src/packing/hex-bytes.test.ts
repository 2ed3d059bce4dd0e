import { expect, test } from "vitest";
import { bytesOfHex, hexOf } from "./hex-bytes.ts";

test("bytes are digits and come back, also those in the middle of others", () => {
  const bytes = Uint8Array.of(0, 1, 0x7f, 0x80, 0xff);
  expect(hexOf(bytes)).toBe("00017f80ff");
  expect(hexOf(bytes.subarray(2, 4))).toBe("7f80");
  expect(bytesOfHex("00017f80ff")).toEqual(bytes);
  expect(hexOf(bytesOfHex(""))).toBe("");
});

test("the bytes of a text keep no others in memory", () => {
  expect(bytesOfHex("0a0b").buffer.byteLength).toBe(2);
});
