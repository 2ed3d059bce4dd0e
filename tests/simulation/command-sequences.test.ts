import fc from "fast-check";
import { expect, test } from "vitest";
import { runSequence, STEP_KINDS, sequences } from "./command-sequence.ts";

// fast-check prints the seed and the path of a failure, and shrinks it; both can be given here to see it again.
const RUNS = { numRuns: 300 };

test("authority, visibility and conservation hold for random commands of random parties", () => {
  fc.assert(
    fc.property(sequences, (steps) => {
      runSequence(steps);
    }),
    RUNS,
  );
});

test("the same commands give the same bytes", () => {
  fc.assert(
    fc.property(sequences, (steps) => {
      expect(runSequence(steps)).toEqual(runSequence(steps));
    }),
    { numRuns: 40 },
  );
});

test("every kind of step is accepted in some of the random sequences", () => {
  const accepted = new Set<string>();
  for (const steps of fc.sample(sequences, { numRuns: 200, seed: 1 })) {
    for (const { kind, isAccepted } of runSequence(steps)) if (isAccepted) accepted.add(kind);
  }
  expect(STEP_KINDS.filter((kind) => !accepted.has(kind))).toEqual([]);
});
