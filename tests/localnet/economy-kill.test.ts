import { expect, test } from "vitest";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";
import { runKilledEconomy } from "./economy-killed.ts";
import { drawSeed } from "./seed.ts";

test("an economy whose process is killed at random moments loses no payment and takes none twice", {
  timeout: 180_000,
}, async () => {
  const { seed } = drawSeed("killed economy", "tests/localnet/economy-kill.test.ts");
  const { problems, deeds } = await runKilledEconomy({ folder: temporaryFolder(), kills: 2, seed });
  expect(problems).toEqual([]);
  expect(deeds.names.length).toBeGreaterThan(0);
});
