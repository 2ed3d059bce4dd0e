import { expect, test } from "vitest";
import { seedOf } from "../support/random.ts";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";
import { runKilledEconomy } from "./economy-killed.ts";

test("an economy whose process is killed at random moments loses no payment and takes none twice", {
  timeout: 180_000,
}, async () => {
  const seed = seedOf(import.meta.filename);
  const { problems, deeds } = await runKilledEconomy({ folder: temporaryFolder(), kills: 2, seed });
  expect(problems).toEqual([]);
  expect(deeds.names.length).toBeGreaterThan(0);
});
