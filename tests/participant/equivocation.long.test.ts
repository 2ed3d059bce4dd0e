/** More split networks: any SV lies, any other one is alone on its history, and the liar changes its mind. */
import { describe, expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { accepts, drawSplit, hearAll, otherThan, plant, startSplit } from "./equivocate.ts";
import { acceptedBy, type Follower, type SplitNetwork } from "./split-network.ts";

/** The place at which both have accepted a transaction, and not the same one; -1 if there is none. */
async function findFork([one, other]: SplitNetwork["followers"]): Promise<number> {
  const accepted = await acceptedBy(one);
  const others = await acceptedBy(other);
  return accepted.findIndex((id, i) => i < others.length && others[i] !== id);
}

const seeds = [1, 2, 3].map((i) => seed + i);

describe.concurrent.each(seeds)("with an engine that shows two histories, seed %i:", (drawn) => {
  test("participants never accept different items, and go on once the liar shows both the quorum's history", async ({
    onTestFinished,
  }) => {
    const random = new Random(drawn);
    const split = drawSplit(random);
    const { network } = await startSplit(split, onTestFinished);
    const [first, second] = network.followers;
    const [main, other] = split.told;
    await hearAll(second);
    for (let turn = 0; turn < 3; turn++) {
      const told: readonly Follower[] = random.some(network.followers);
      for (const follower of told) network.lie(follower, random.chance(0.5) ? main : other);
      await Promise.all(random.shuffle([main, other]).map((side) => network.append(side)));
      expect(await findFork(network.followers)).toBe(-1);
    }
    for (const follower of network.followers) network.lie(follower, main);
    await network.append(main);
    expect(await accepts(second, 5)).toEqual(await accepts(first, 5));
  });

  test("f + 1 SVs are enough for a fork", async ({ onTestFinished }) => {
    const split = drawSplit(new Random(drawn));
    const { network } = await startSplit(split, onTestFinished);
    const [first, second] = network.followers;
    const [main] = split.told;
    await Promise.all([plant(network, first, otherThan(main)), plant(network, second, main)]);
    await Promise.all([accepts(first, 1), accepts(second, 1)]);
    expect(await findFork(network.followers)).toBe(0);
  });
});

test.concurrent("with honest SVs alone, two on each history, nothing is accepted or acknowledged", async ({
  onTestFinished,
}) => {
  const shown = new Random(seed).shuffle([0, 0, 1, 1] as const) as unknown as readonly [0, 0, 1, 1];
  const { network, moves } = await startSplit({ shown, liar: null, told: [0, 1] }, onTestFinished);
  await Promise.all(network.followers.map(hearAll));
  const reasons = await Promise.all(moves.map(({ ended }) => ended));
  for (const reason of reasons) expect(reason).toContain("is applied by 2 of 4 SVs, and 3 are needed");
  expect(await Promise.all(network.followers.map(acceptedBy))).toEqual([[], []]);
});
