import { expect, test } from "vitest";
import { killNetwork } from "../localnet/killed-network.ts";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";

const KILLS = 50;

test("a network that is killed fifty times loses nothing that it acknowledged", async () => {
  const seed = Number(process.env["CALLSIGN_SEED"] ?? Date.now() % 1_000_000_007);
  console.log(`killed network: the seed is ${seed}`);
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(KILLS);
});
