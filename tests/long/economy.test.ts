import { describe, test } from "vitest";
import { simulateEconomy } from "../simulation/economy/simulate-economy.ts";
import { seed } from "../support/seed.ts";

// Replay a failure with the line it prints: the same seed and rounds make the same run there.
const first = seed;
const ROUNDS = 220;

describe(`economies from seed ${first} on`, () => {
  test.each([0, 1].map((i) => first + i))(
    `every invariant holds in ${ROUNDS} rounds from seed %i`,
    { timeout: 10 * 60_000 },
    (seed) => {
      simulateEconomy(seed, ROUNDS);
    },
  );
});
