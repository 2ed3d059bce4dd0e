import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runEconomy } from "./economy-run.ts";

// The SV that goes away is not killed by a signal, since all SVs share a process: it is restarted on the files it had
// at a moment in the midst of its work, which is what a kill leaves. Kills of the whole process by SIGKILL are in
// economy-kill.test.ts.
test("rounds, rewards and payments add up on every scan while an SV crashes and comes back", {
  timeout: 180_000,
}, async () => {
  const { problems, collected, seen } = await runEconomy({
    folder: temporaryFolder(),
    rounds: 9,
    crashes: [{ place: 2, round: 2 }],
  });
  expect(problems).toEqual([]);
  expect(collected).toBeGreaterThan(0n);
  expect(seen.get("AmuletRules_MiningRound_Archive")).toBeGreaterThan(2);
});
