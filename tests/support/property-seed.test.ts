import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "./seed.ts";

test("properties draw from the seed of the run", () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed);
  expect(fc.sample(fc.integer(), 3)).toEqual(fc.sample(fc.integer(), 3));
});
