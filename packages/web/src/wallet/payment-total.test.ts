import { expect, test } from "vitest";
import { totalOf } from "./payment-total.ts";

const amount = (value: string, unit: string) => ({ receiver: "a::1220", amount: { amount: value, unit } });

test("dollars and coin add up at the round's price", () => {
  const payload = { receiverAmounts: [amount("1.0", "USDUnit"), amount("0.1", "AmuletUnit")] };
  expect(totalOf(payload, "0.005")).toEqual({ usd: "1.0005", coin: "200.1" });
});

test("without a price the sum in the other unit is unknown", () => {
  expect(totalOf({ receiverAmounts: [amount("1.0", "USDUnit")] }, null)).toEqual({ usd: "1", coin: null });
});

test("a unit that the wallet does not know has no sum", () => {
  const payload = { receiverAmounts: [amount("1.0", "USDUnit"), amount("1.0", "ExtUnit")] };
  expect(totalOf(payload, "0.005")).toEqual({ usd: null, coin: null });
});
