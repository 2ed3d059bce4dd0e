/**
 * An ordering engine shows two histories to two halves of the SVs, and one of four SVs serves both. Everything is real: SV nodes
 * over HTTP on two logs, and participants.
 */
import { expect, onTestFinished, test } from "vitest";
import { chosenStore } from "../support/postgres.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { accepts, drawSplit, hearAll, otherThan, plant, startSplit } from "./equivocate.ts";
import { acceptedBy } from "./split-network.ts";

test("participants accept one history by a quorum of SVs, and two if f + 1 SVs are enough", async ({
  skip,
}) => {
  skip(chosenStore !== "SQLite", "the identity is in a file only beside SQLite's");
  const split = drawSplit(new Random(seed));
  const { network, moves } = await startSplit(split, onTestFinished);
  const [first, second] = network.followers;
  const [main] = split.told;
  const [accepted] = await accepts(first, 1);
  await hearAll(second);
  expect(await acceptedBy(second)).toEqual([]);
  expect(await moves[main]?.ended).toBeNull();
  expect(moves[otherThan(main)]?.isDone).toBe(false);
  await plant(network, second, main);
  const [forked] = await accepts(second, 1);
  expect(forked).not.toBe(accepted);
});
