import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { killNetwork } from "../localnet/killed-network.ts";
import { seed } from "../support/seed.ts";

const KILLS = 18;

test("a network that is killed again and again loses nothing that it acknowledged", async () => {
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(KILLS);
});
