/** Logs of small worlds, made from a seed: whatever people, SVs and mischief do, in the order they did it. */
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Action } from "../simulation/actions/action.ts";
import { falseAuthority } from "../simulation/actions/false-authority.ts";
import { falseUse } from "../simulation/actions/false-use.ts";
import { noise } from "../simulation/actions/noise.ts";
import { raceActions } from "../simulation/actions/race-actions.ts";
import { svActions } from "../simulation/actions/sv-actions.ts";
import { timeActions } from "../simulation/actions/time-actions.ts";
import { walletActions } from "../simulation/actions/wallet-actions.ts";
import { foundWorld } from "../simulation/world.ts";

const actions: readonly Action[] = [
  ...walletActions,
  ...svActions,
  ...timeActions,
  ...raceActions,
  ...falseAuthority,
  ...falseUse,
  ...noise,
].flatMap((action) => Array.from({ length: action.weight }, () => action));

export function simulatedLog(seed: number, steps: number): readonly LogEntry[] {
  const world = foundWorld(seed);
  for (let step = 0; step < steps; step++) world.random.pick(actions).run(world);
  return world.network.log;
}
