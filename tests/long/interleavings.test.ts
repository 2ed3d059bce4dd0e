import { describe, expect, test } from "vitest";
import { coinsOf, FEE, runRace } from "../simulation/race.ts";
import { seed } from "../support/seed.ts";

// Replay a failure with `CALLSIGN_SEED=<seed> npm test -- tests/simulation/interleavings.test.ts`.
const first = seed;
const HUNDREDS = 9;

describe(`races for a name from seed ${first} on`, () => {
  test.each(Array.from({ length: HUNDREDS }, (_, i) => first + 100 * i))(
    "a hundred from seed %i",
    (start) => {
      for (let seed = start; seed < start + 100; seed++) {
        const result = runRace(seed);
        const winner = result.order.find(({ isValid }) => isValid);
        expect(result.owners, `seed ${seed}`).toEqual(winner === undefined ? [] : [winner.wallet.party]);
        for (const buyer of result.buyers) {
          const isWinner = buyer.wallet.party === winner?.wallet.party;
          expect(coinsOf(result, buyer), `seed ${seed}`).toBe(isWinner ? buyer.tapped - FEE : buyer.tapped);
        }
      }
    },
  );
});
