import { describe, expect, test } from "vitest";
import { damlMap, damlSet, list } from "../../../daml/collections.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { int64, text } from "../../../daml/scalars.ts";
import { patchOf } from "./patch.ts";

describe("a patch", () => {
  test.each([
    { next: "a", base: "a", current: "c", patched: "c" },
    { next: "b", base: "a", current: "a", patched: "b" },
    { next: "b", base: "a", current: "c", patched: "b" },
  ])("of a value from $base to $next makes $current $patched", ({ next, base, current, patched }) => {
    expect(patchOf(text)(next, base, current)).toBe(patched);
  });

  test("of a list takes it as a whole, and equal lists as no change", () => {
    const numbers = patchOf(list(int64));
    expect(numbers([1n, 2n], [1n, 2n], [3n])).toEqual([3n]);
    expect(numbers([1n], [1n, 2n], [3n])).toEqual([1n]);
  });

  test("of a record changes the fields that differ and leaves the others", () => {
    const pair = patchOf(record({ left: text, right: text }));
    const base = { left: "a", right: "a" };
    expect(pair({ left: "b", right: "a" }, base, { left: "c", right: "c" })).toEqual({
      left: "b",
      right: "c",
    });
  });

  test.each([
    { next: null, base: null, current: "c", patched: "c" },
    { next: null, base: null, current: null, patched: null },
    { next: null, base: "a", current: "c", patched: null },
    { next: "b", base: null, current: "c", patched: "b" },
    { next: "b", base: null, current: null, patched: "b" },
    { next: "b", base: "a", current: "c", patched: "b" },
    { next: "a", base: "a", current: "c", patched: "c" },
    // Somebody removed the value meanwhile: a change to it is lost, not resurrected.
    { next: "b", base: "a", current: null, patched: null },
  ])("of an optional from $base to $next makes $current $patched", ({ next, base, current, patched }) => {
    expect(patchOf(optional(text))(next, base, current)).toBe(patched);
  });

  test.each([
    {
      what: "adds a key",
      next: { a: "1", b: "2" },
      base: { a: "1" },
      current: { c: "3" },
      patched: { b: "2", c: "3" },
    },
    { what: "removes a key", next: {}, base: { a: "1" }, current: { a: "9", c: "3" }, patched: { c: "3" } },
    { what: "changes a key", next: { a: "2" }, base: { a: "1" }, current: { a: "9" }, patched: { a: "2" } },
    {
      what: "leaves an equal key",
      next: { a: "1" },
      base: { a: "1" },
      current: { a: "9" },
      patched: { a: "9" },
    },
    { what: "forgets a key removed meanwhile", next: { a: "2" }, base: { a: "1" }, current: {}, patched: {} },
    {
      what: "overwrites a key added meanwhile",
      next: { a: "2" },
      base: {},
      current: { a: "9" },
      patched: { a: "2" },
    },
  ])("of a map $what", ({ next, base, current, patched }) => {
    const patch = patchOf(damlMap(text, text));
    const result = patch(Object.entries(next), Object.entries(base), Object.entries(current));
    expect(result).toEqual(Object.entries(patched));
  });

  test("of a set adds and removes, in order", () => {
    const setOf = (...keys: string[]) => ({ map: keys.map((key) => [key, {}] as const) });
    expect(patchOf(damlSet(text))(setOf("a", "b"), setOf("b", "x"), setOf("c", "x", "z"))).toEqual(
      setOf("a", "c", "z"),
    );
  });
});
