/** Damages the files of an SV again and again, each time from sound copies. */
import { expect } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { Random } from "../support/random.ts";
import { DamagedSvs, type Fate, FILES } from "./damaged-sv.ts";

/** Counts what became of the damages. Fails with those that nobody noticed. */
export async function tryDamages(given: {
  readonly tries: number;
  readonly seed: number;
}): Promise<ReadonlyMap<Fate, number>> {
  const svs = await prepare();
  const random = new Random(given.seed);
  const fates = new Map<Fate, number>();
  const unseen: string[] = [];
  for (let i = 0; i < given.tries; i++) {
    try {
      const fate = await svs.try(FILES[i % FILES.length] ?? FILES[0], random);
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
    } catch (error) {
      unseen.push((error as Error).message);
    }
  }
  expect(unseen).toEqual([]);
  return fates;
}

async function prepare(): Promise<DamagedSvs> {
  const world = await LocalNetwork.start({ separateReplicas: true });
  try {
    await world.tap("app-user", "500");
    await world.buy("app-user", "kept");
    return await DamagedSvs.prepare(world, temporaryFolder(), () => world.buy("app-user", "later"));
  } finally {
    await world.close();
  }
}
