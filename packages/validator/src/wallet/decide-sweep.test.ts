import { decimal, formatDecimal } from "@callsign/ledger";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideSweep } from "./decide-sweep.ts";

interface Given {
  readonly coin: string;
  readonly outstanding?: string;
  readonly price?: string;
  readonly max: string;
  readonly min: string;
}

function decide({ coin, outstanding = "0.0", price = "0.005", max, min }: Given): string | null {
  const amount = decideSweep(
    { coin: decimal(coin), outstanding: decimal(outstanding), price: decimal(price) },
    { maxBalanceUsd: decimal(max), minBalanceUsd: decimal(min) },
  );
  return amount === null ? null : formatDecimal(amount);
}

describe("the amount of a sweep", () => {
  test.each<[string, Given, string | null]>([
    [
      "is all coin above the lower limit",
      { coin: "600.0", max: "2.0", min: "0.5" },
      // 600 − 0.5 $ ÷ 0.005 $.
      "500.0000000000",
    ],
    ["is nothing at the upper limit", { coin: "400.0", max: "2.0", min: "0.5" }, null],
    [
      "counts the last digit above the upper limit",
      { coin: "400.0000000001", max: "2.0", min: "0.5" },
      "300.0000000001",
    ],
    [
      "leaves open offers their coin",
      { coin: "900.0", outstanding: "100.0", max: "2.0", min: "0.5" },
      "700.0000000000",
    ],
    [
      "is nothing while open offers take the excess",
      { coin: "900.0", outstanding: "500.0", max: "2.0", min: "0.5" },
      null,
    ],
    [
      "is nothing if open offers exceed the coin",
      { coin: "1.0", outstanding: "500.0", max: "0.0", min: "0.0" },
      null,
    ],
    [
      "keeps the lower limit where it is no whole number of the least units",
      // 1 $ ÷ 0.003 $ = 333.3333333333…: one unit more stays.
      { coin: "1000.0", price: "0.003", max: "1.0", min: "1.0" },
      "666.6666666666",
    ],
    [
      "is never more than there is",
      // Rounded to ten places, 0.0000000033 × 0.005 $ would be worth nothing, and 0.0000000333 × 0.005 $ more than it is.
      { coin: "0.0000000333", max: "0.0", min: "0.0" },
      "0.0000000333",
    ],
    [
      "is nothing if the least unit is worth more than the excess",
      { coin: "0.3333333334", price: "3.0", max: "1.0", min: "1.0" },
      null,
    ],
  ])("%s", (_, given, expected) => {
    expect(decide(given)).toBe(expected);
  });

  test("leaves the lower limit at least, and less than one unit of coin more", () => {
    const units = (max: bigint) => fc.bigInt({ min: 1n, max });
    fc.assert(
      fc.property(
        units(10n ** 30n),
        units(10n ** 13n),
        units(10n ** 16n),
        units(10n ** 16n),
        (coin, price, a, b) => {
          const [min, max] = a < b ? [a, b] : [b, a];
          const amount = decideSweep(
            { coin, outstanding: 0n, price: price as never },
            { maxBalanceUsd: max as never, minBalanceUsd: min as never },
          );
          const one = 10n ** 10n;
          if (amount === null) return coin * price <= max * one || (coin - 1n) * price < min * one;
          const left = coin - amount;
          return coin * price > max * one && left * price >= min * one && (left - 1n) * price < min * one;
        },
      ),
    );
  });
});
