import { expect, test } from "vitest";
import { seedOf } from "../support/random.ts";
import { temporaryFolder } from "../synchronizer/temporary-folder.ts";
import { killNetwork } from "./killed-network.ts";

const KILLS = 5;

test("a network that is killed at random moments loses nothing that it acknowledged", {
  timeout: 180_000,
}, async () => {
  const seed = seedOf(import.meta.filename);
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(0);
});
