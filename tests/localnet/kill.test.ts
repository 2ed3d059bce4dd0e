import { expect, test } from "vitest";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";
import { killNetwork } from "./killed-network.ts";
import { drawSeed } from "./seed.ts";

const KILLS = 5;

test("a network that is killed at random moments loses nothing that it acknowledged", {
  timeout: 180_000,
}, async () => {
  const { seed } = drawSeed("killed network", "tests/localnet/kill.test.ts");
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(0);
});
