import { expect, test } from "vitest";
import { DAY, HOUR, MICROSECOND, MINUTE, SECOND } from "./duration.ts";

test("durations are counted in microseconds", () => {
  expect([MICROSECOND, SECOND, MINUTE, HOUR, DAY]).toEqual([
    1n,
    1_000_000n,
    60_000_000n,
    3_600_000_000n,
    86_400_000_000n,
  ]);
});
