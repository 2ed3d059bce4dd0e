import { describe, expect, test } from "vitest";
import { coinsOf, contextsLeft, FEE, NAME, type RaceResult, runRace } from "./race.ts";

const given = process.env["CALLSIGN_SEED"];
const first = given === undefined ? 1 : Number(given);
const seeds = Array.from({ length: given === undefined ? 120 : 1 }, (_, i) => first + i);

/** Runs the race; what fails says how to see it again. */
function race<T>(seed: number, check: (result: RaceResult) => T, shape: { pair?: boolean } = {}): T {
  try {
    return check(runRace(seed, shape));
  } catch (error) {
    const replay = `replay: CALLSIGN_SEED=${seed} npm test -- tests/simulation/interleavings.test.ts`;
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${replay}`, { cause: error });
  }
}

describe("two to five buyers race for a name, in any interleaving of SVs and buyers", () => {
  test.each(seeds)("the earliest in the log wins and the others lose nothing (seed %i)", (seed) => {
    race(seed, (result) => {
      const winner = result.order.find(({ isValid }) => isValid);
      expect(result.owners, `owners of ${NAME}`).toEqual(winner === undefined ? [] : [winner.wallet.party]);
      for (const buyer of result.buyers) {
        const isWinner = buyer.wallet.party === winner?.wallet.party;
        const expected = isWinner ? buyer.tapped - FEE : buyer.tapped;
        expect(coinsOf(result, buyer), `coins of ${buyer.wallet.party}`).toBe(expected);
        expect(buyer.wallet.locked()).toBe(0n);
      }
      expect(contextsLeft(result)).toBe(winner === undefined ? 0 : 1);
    });
  });
});

describe("two buyers race for a name, in any interleaving of SVs and buyers", () => {
  test.each(seeds)("exactly one gets it, and the other keeps every coin (seed %i)", (seed) => {
    race(
      seed,
      (result) => {
        expect(result.buyers.length).toBe(2);
        const [winner] = result.order;
        expect(result.owners).toEqual([winner?.wallet.party]);
        for (const buyer of result.buyers) {
          const isWinner = buyer.wallet.party === winner?.wallet.party;
          const expected = isWinner ? buyer.tapped - FEE : buyer.tapped;
          expect(coinsOf(result, buyer), `coins of ${buyer.wallet.party}`).toBe(expected);
          expect(buyer.wallet.locked()).toBe(0n);
        }
      },
      { pair: true },
    );
  });
});
