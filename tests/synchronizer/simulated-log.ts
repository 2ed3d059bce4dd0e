/** Logs of small worlds, made from a seed: whatever people, SVs and mischief do, in the order they did it. */
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { allActions } from "../simulation/simulate.ts";
import { foundWorld } from "../simulation/world.ts";

export function simulatedLog(seed: number, steps: number): readonly LogEntry[] {
  const world = foundWorld(seed);
  for (let step = 0; step < steps; step++) world.random.pickByWeight(allActions).run(world);
  return world.network.log;
}
