import { describe, test } from "vitest";
import { freshSeed } from "../simulation/fresh-seed.ts";
import { simulate } from "../simulation/simulate.ts";

// Replay a failure with the line it prints: the same seed and steps make the same run there.
const first = freshSeed();

describe(`simulations from seed ${first} on`, () => {
  console.log(`long simulation: the first seed is ${first}`);

  test.each(Array.from({ length: 100 }, (_, i) => first + i))(
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
