// A few damages of each kind of file; damage.long.test.ts has hundreds, and thousands on demand.
import { expect, test } from "vitest";
import { seed } from "../support/seed.ts";
import { tryDamages } from "./try-damages.ts";

test("damage to any file of an SV is refused, repaired, found by the scrub, or harmless", {
  timeout: 180_000,
}, async () => {
  const fates = await tryDamages({ tries: 40, seed });
  expect(fates.get("found by the scrub")).toBeGreaterThan(0);
});
