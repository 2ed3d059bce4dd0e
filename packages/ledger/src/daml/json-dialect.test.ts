import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Decimal, decimal } from "../values/decimal.ts";
import { time } from "../values/time.ts";
import { historyJson, type JsonDialect, ledgerJson, scanJson } from "./json-dialect.ts";

test.each([
  ["0", "0.0000000000", "0.0", "0E-10"],
  ["200", "200.0000000000", "200.0", "200.0000000000"],
  ["0.005", "0.0050000000", "0.005", "0.0050000000"],
  // As Java's BigDecimal of scale 10 prints them.
  ["0.0000000001", "0.0000000001", "0.0000000001", "1E-10"],
  ["-0.0000000001", "-0.0000000001", "-0.0000000001", "-1E-10"],
  ["0.0000000015", "0.0000000015", "0.0000000015", "1.5E-9"],
  ["0.00000015", "0.0000001500", "0.00000015", "1.500E-7"],
  ["-0.00000015", "-0.0000001500", "-0.00000015", "-1.500E-7"],
  ["0.0000009999", "0.0000009999", "0.0000009999", "9.999E-7"],
  ["0.000001", "0.0000010000", "0.000001", "0.0000010000"],
])("the decimal %s is %s to the ledger, %s to scan, %s in its history", (given, ledger, scan, history) => {
  const value = decimal(given);
  expect([ledgerJson, scanJson, historyJson].map((dialect) => dialect.formatDecimal(value))).toEqual([
    ledger,
    scan,
    history,
  ]);
});

test("half a second is .5Z to the ledger and .500Z to scan and in its history", () => {
  const value = time("2026-01-31T12:00:00.5Z");
  expect([ledgerJson, scanJson, historyJson].map((dialect) => dialect.formatTime(value))).toEqual([
    "2026-01-31T12:00:00.5Z",
    "2026-01-31T12:00:00.500Z",
    "2026-01-31T12:00:00.500Z",
  ]);
});

describe("reading decimals", () => {
  test.each([
    ["0E-10", "0"],
    ["1.5E-9", "0.0000000015"],
    ["-9.999E-7", "-0.0000009999"],
    ["1.0000000000", "1"],
    ["1", "1"],
  ])("the history's %s is read", (given, value) => {
    expect(historyJson.parseDecimal(given)).toEqual({ ok: true, value: decimal(value) });
  });

  test.each(["1E-9", "1.5E-10", "15E-10", "1.5000E-6", "1E10", "1E+10", "1e-10", "E-10", "1.5E-9 ", "0E-11"])(
    "%s, which no history prints, is refused",
    (given) => {
      expect(historyJson.parseDecimal(given).ok).toBe(false);
    },
  );

  test("only the history uses scientific notation", () => {
    expect(ledgerJson.parseDecimal("0E-10").ok).toBe(false);
    expect(scanJson.parseDecimal("0E-10").ok).toBe(false);
  });

  test.each<readonly [string, JsonDialect]>([
    ["ledger", ledgerJson],
    ["scan", scanJson],
    ["history", historyJson],
  ])("%s reads what it writes", (_name, { formatDecimal, parseDecimal }) => {
    const small = fc.bigInt({ min: -100_000n, max: 100_000n });
    const any = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
    fc.assert(
      fc.property(fc.oneof(small, any), (units) => {
        expect(parseDecimal(formatDecimal(units as Decimal))).toEqual({ ok: true, value: units });
      }),
    );
  });
});
