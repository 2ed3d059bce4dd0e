import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { seed } from "../support/seed.ts";
import { runKilledEconomy } from "./economy-killed.ts";

test("an economy whose process is killed at random moments loses no payment and takes none twice", {
  timeout: 180_000,
}, async () => {
  const { problems, deeds } = await runKilledEconomy({ folder: temporaryFolder(), kills: 2, seed });
  expect(problems).toEqual([]);
  expect(deeds.names.length).toBeGreaterThan(0);
});
