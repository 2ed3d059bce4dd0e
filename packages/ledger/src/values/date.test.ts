import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { civilFromDays, daysFromCivil, formatLedgerDate, isLedgerDate, parseDate } from "./date.ts";

const FIRST = -719_162n; // 0001-01-01
const LAST = 2_932_896n; // 9999-12-31

test.each([
  ["1970-01-01", 0n],
  ["1970-01-02", 1n],
  ["1969-12-31", -1n],
  ["2000-02-29", 11_016n],
  ["2000-03-01", 11_017n],
  ["2026-01-31", 20_484n],
  ["0001-01-01", FIRST],
  ["9999-12-31", LAST],
])("%s is day %s", (text, days) => {
  const date = parseDate(text);
  expect(date).toEqual({ ok: true, value: days });
  if (date.ok) expect(formatLedgerDate(date.value)).toBe(text);
});

describe("leap years", () => {
  test.each(["2024-02-29", "2000-02-29", "1600-02-29", "0004-02-29", "9996-02-29"])("%s exists", (text) => {
    expect(parseDate(text).ok).toBe(true);
  });

  test.each(["2023-02-29", "1900-02-29", "2100-02-29", "0001-02-29", "2024-02-30"])("%s does not", (text) => {
    expect(parseDate(text).ok).toBe(false);
  });
});

test.each([
  "",
  "0000-12-31",
  "10000-01-01",
  "+2026-01-01",
  "-001-01-01",
  "2026-1-01",
  "2026-01-1",
  "2026-00-10",
  "2026-13-01",
  "2026-04-31",
  "2026-01-00",
  "2026-01-32",
  "2026/01/01",
  "20260101",
  "2026-01-01Z",
  " 2026-01-01",
  "2026-01-01\n",
  "٢٠٢٦-01-01",
])("%j is not a date", (text) => {
  expect(parseDate(text)).toEqual({
    ok: false,
    error: `date ${JSON.stringify(text)} is not valid: a date reads YYYY-MM-DD, from 0001-01-01 to 9999-12-31.`,
  });
});

test("the days of a date are those of the years 1 to 9999", () => {
  expect([isLedgerDate(FIRST), isLedgerDate(FIRST - 1n)]).toEqual([true, false]);
  expect([isLedgerDate(LAST), isLedgerDate(LAST + 1n)]).toEqual([true, false]);
});

test("days and calendar agree with the runtime's, on every day tried", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: FIRST, max: LAST }), (days) => {
      const reference = new Date(Number(days) * 86_400_000);
      const civil = civilFromDays(days);
      expect(civil).toEqual({
        year: reference.getUTCFullYear(),
        month: reference.getUTCMonth() + 1,
        day: reference.getUTCDate(),
      });
      expect(daysFromCivil(civil)).toBe(days);
    }),
    { numRuns: 2000 },
  );
});

test("each day of eight years, a leap century among them, follows the one before", () => {
  for (let days = 9_496n; days < 12_418n; days++) {
    const reference = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
    expect(parseDate(reference)).toEqual({ ok: true, value: days });
  }
});
