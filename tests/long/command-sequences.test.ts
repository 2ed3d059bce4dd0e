import fc from "fast-check";
import { expect, test } from "vitest";
import { runSequence, sequences } from "../simulation/command-sequence.ts";

test("authority, visibility and conservation hold for random commands of random parties", () => {
  fc.assert(
    fc.property(sequences, (steps) => {
      runSequence(steps);
    }),
    { numRuns: 4500 },
  );
});

test("the same commands give the same bytes", () => {
  fc.assert(
    fc.property(sequences, (steps) => {
      expect(runSequence(steps)).toEqual(runSequence(steps));
    }),
    { numRuns: 1000 },
  );
});
