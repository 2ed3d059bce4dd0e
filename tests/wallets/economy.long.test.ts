import { expect, test } from "vitest";
import { seed } from "../support/seed.ts";
import { runApart } from "./role-runner.ts";
import { runWalletEconomy } from "./wallet-economy.ts";

const replay = `replay: CALLSIGN_SEED=${seed} npm run test:long -- tests/wallets/economy.long.test.ts`;

test("thirty kills of validators and participants under load lose nothing, and have nothing done twice", async () => {
  const { problems, done, kills } = await runWalletEconomy({ seed, turns: 10, kills: 3, run: runApart });
  expect(problems, replay).toEqual([]);
  expect(kills).toHaveLength(30);
  expect(done.size).toBeGreaterThan(10);
});
