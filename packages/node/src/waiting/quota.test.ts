import { expect, test } from "vitest";
import { Quota } from "./quota.ts";

test("every key has as many places, and a place again once one is given back", () => {
  const quota = new Quota(2);
  const first = quota.take("ann");
  expect(quota.take("ann")).not.toBeNull();
  expect(quota.take("ann")).toBeNull();
  expect(quota.take("bea")).not.toBeNull();
  first?.();
  expect(quota.take("ann")).not.toBeNull();
  expect(quota.take("ann")).toBeNull();
});
