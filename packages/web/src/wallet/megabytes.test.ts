import { expect, test } from "vitest";
import { megabytesOf, toBytes } from "./megabytes.ts";

test("bytes are shown as exact megabytes", () => {
  expect(megabytesOf(200_000n)).toBe("0.2");
  expect(megabytesOf(1_000_000n)).toBe("1");
  expect(megabytesOf(1n)).toBe("0.000001");
});

test("megabytes become whole bytes", () => {
  expect(toBytes("0.2")).toBe(200_000);
  expect(toBytes("1")).toBe(1_000_000);
  expect(toBytes("0.0000001")).toBeNull();
  expect(toBytes("9999999999999999")).toBeNull();
});
