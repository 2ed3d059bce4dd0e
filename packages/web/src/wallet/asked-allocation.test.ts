import { expect, test } from "vitest";
import { isLegOfCoin, toAskedAllocation, toMicroseconds } from "./asked-allocation.ts";

test.each([
  ["1970-01-01T00:00:01.000002Z", 1_000_002],
  ["1970-01-01T00:00:01.5Z", 1_500_000],
  ["1970-01-01T00:00:02Z", 2_000_000],
])("%s keeps its microseconds", (time, microseconds) => {
  expect(toMicroseconds(time)).toBe(microseconds);
});

const SETTLEMENT = {
  executor: "exchange::1",
  settlementRef: { id: "trade-1", cid: null },
  requestedAt: "1970-01-01T00:00:01.000001Z",
  allocateBefore: "1970-01-01T00:00:02.000002Z",
  settleBefore: "1970-01-01T00:00:03Z",
  meta: { values: { "example.com/trade": "1" } },
};
const LEG = {
  sender: "alice::1",
  receiver: "bob::1",
  amount: "5.0000000000",
  instrumentId: { admin: "DSO::1", id: "Amulet" },
  meta: { values: { note: "first" } },
};

test("an asked allocation repeats the terms of its request, metadata and fractions of seconds included", () => {
  expect(toAskedAllocation(SETTLEMENT, "leg-1", LEG)).toEqual({
    settlement: {
      executor: "exchange::1",
      settlement_ref: { id: "trade-1", cid: null },
      requested_at: 1_000_001,
      allocate_before: 2_000_002,
      settle_before: 3_000_000,
      meta: { "example.com/trade": "1" },
    },
    transfer_leg_id: "leg-1",
    transfer_leg: { receiver: "bob::1", amount: "5.0000000000", meta: { note: "first" } },
  });
});

test("a leg in a token of somebody else is no leg of coin", () => {
  expect(isLegOfCoin(LEG, "DSO::1")).toBe(true);
  expect(isLegOfCoin(LEG, "DSO::2")).toBe(false);
  expect(isLegOfCoin({ ...LEG, instrumentId: { admin: "DSO::1", id: "Gold" } }, "DSO::1")).toBe(false);
});
