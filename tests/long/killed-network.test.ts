import { expect, test } from "vitest";
import { killNetwork } from "../localnet/killed-network.ts";
import { seedOf } from "../support/random.ts";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";

const KILLS = 50;

test("a network that is killed fifty times loses nothing that it acknowledged", async () => {
  const seed = seedOf(import.meta.filename);
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(KILLS);
});
