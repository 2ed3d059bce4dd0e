import { expect, test } from "vitest";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";
import { runKilledEconomy } from "./economy-killed.ts";

test("an economy whose process is killed at random moments loses no payment and takes none twice", {
  timeout: 180_000,
}, async () => {
  const seed = Number(process.env["CALLSIGN_SEED"] ?? Date.now() % 1_000_000_007);
  console.log(`killed economy: the seed is ${seed}`);
  const { problems, deeds } = await runKilledEconomy({ folder: temporaryFolder(), kills: 2, seed });
  expect(problems).toEqual([]);
  expect(deeds.names.length).toBeGreaterThan(0);
});
