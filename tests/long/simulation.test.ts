import { describe, test } from "vitest";
import { simulate } from "../simulation/simulate.ts";
import { seed } from "../support/seed.ts";

// Replay a failure with the line it prints: the same seed and steps make the same run there.
const first = seed;

describe(`simulations from seed ${first} on`, () => {
  test.each(Array.from({ length: 40 }, (_, i) => first + i))(
    "every invariant holds in 400 steps from seed %i",
    (seed) => {
      simulate(seed, 400);
    },
  );

  test.each([1000, 1001, 1002].map((i) => first + i))(
    "every invariant holds in 4000 steps from seed %i",
    (seed) => {
      simulate(seed, 4000);
    },
  );
});
