/** The seed of a test that draws: `CALLSIGN_SEED` if it is given, so that a failure can be seen again. */
import { type Random, seededRandom } from "../golden-log/seeded-random.ts";

export function drawSeed(what: string, file: string): { readonly seed: number; readonly random: Random } {
  const given = process.env["CALLSIGN_SEED"];
  const seed = given === undefined ? Date.now() % 1_000_000_007 : Number(given);
  console.log(`${what}: replay with CALLSIGN_SEED=${seed} npm test -- ${file}`);
  return { seed, random: seededRandom(seed) };
}

export function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}
