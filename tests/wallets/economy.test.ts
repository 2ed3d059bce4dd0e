import { expect, test } from "vitest";
import { seed } from "../support/seed.ts";
import { runHere } from "./role-runner.ts";
import { runWalletEconomy } from "./wallet-economy.ts";

const replay = `replay: CALLSIGN_SEED=${seed} npm test -- tests/wallets/economy.test.ts`;

test("twenty wallets on two nodes that crash add up to the last digit: balances, histories, ledgers and scans", async () => {
  const { problems, done, kills } = await runWalletEconomy({ seed, turns: 2, kills: 2, run: runHere });
  expect(problems, replay).toEqual([]);
  expect([...done.values()].reduce((sum, count) => sum + count)).toBe(40);
  expect(kills).toHaveLength(4);
});
