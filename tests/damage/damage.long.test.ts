/** Hundreds of flipped bits, cut tails and swapped files; thousands with `npm run test:soak`. */
import { expect, test } from "vitest";
import { seed } from "../support/seed.ts";
import { tryDamages } from "./try-damages.ts";

const tries = Number(process.env["CALLSIGN_DAMAGES"] ?? 400);

test(`${tries} damages to the files of an SV are refused, repaired, found by the scrub, or harmless`, {
  timeout: 1_200_000,
}, async () => {
  const fates = await tryDamages({ tries, seed });
  for (const fate of ["refused", "repaired", "found by the scrub", "harmless"] as const)
    expect([fate, (fates.get(fate) ?? 0) > 10]).toEqual([fate, true]);
});
