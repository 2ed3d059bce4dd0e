import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runKilledEconomy } from "../localnet/economy-killed.ts";
import { runEconomy } from "../localnet/economy-run.ts";
import { seed } from "../support/seed.ts";

const ROUNDS = 40;
const KILLS = 8;

test("forty rounds over HTTP add up while three SVs crash and come back, one after the other", {
  timeout: 10 * 60_000,
}, async () => {
  const { problems, collected } = await runEconomy({
    folder: temporaryFolder(),
    rounds: ROUNDS,
    crashes: [
      { place: 1, round: 3 },
      { place: 2, round: 12 },
      { place: 3, round: 21, forgets: true },
      { place: 2, round: 30 },
    ],
  });
  expect(problems).toEqual([]);
  expect(collected).toBeGreaterThan(0n);
});

test("an economy whose process is killed eight times loses no payment and takes none twice", {
  timeout: 10 * 60_000,
}, async () => {
  const { problems, deeds } = await runKilledEconomy({ folder: temporaryFolder(), kills: KILLS, seed });
  expect(problems).toEqual([]);
  expect(deeds.names.length).toBeGreaterThan(0);
});
