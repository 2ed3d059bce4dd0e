/** The limit of a list. */

import { LedgerFailure } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { readListLimit } from "./list-limit.ts";

const items = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("a limit", () => {
  test.each([0n, 1n, 200n])("of %s is never exceeded, and never an error", (limit) => {
    const { sought, cut } = readListLimit(limit);
    expect(sought).toBe(Number(limit));
    expect(cut(items(201))).toHaveLength(Number(limit));
  });

  test.each([null, 201n, 10_000n])("of %s returns all items, up to the server's limit", (limit) => {
    const { sought, cut } = readListLimit(limit);
    expect(cut(items(200))).toHaveLength(200);
    const refused = () => cut(items(sought));
    expect(refused).toThrow(LedgerFailure);
    expect(refused).toThrow(/JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED/);
  });

  test("below zero is refused", () => {
    expect(() => readListLimit(-1n)).toThrow(/INVALID_ARGUMENT/);
  });
});
