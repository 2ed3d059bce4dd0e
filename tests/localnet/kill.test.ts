import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { seed } from "../support/seed.ts";
import { killNetwork } from "./killed-network.ts";

const KILLS = 3;

test("a network that is killed at random moments loses nothing that it acknowledged", {
  timeout: 180_000,
}, async () => {
  const { problems, acknowledgedNames } = await killNetwork({
    folder: temporaryFolder(),
    kills: KILLS,
    seed,
  });
  expect(problems).toEqual([]);
  expect(acknowledgedNames).toBeGreaterThan(0);
});
