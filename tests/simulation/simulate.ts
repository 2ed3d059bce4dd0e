/**
 * A run of the simulation: it follows from its seed on every machine. If anything fails, the error ends
 * with the one line that replays it, as far as the step at which it failed.
 */
import { type Action, runFailure } from "./actions/action.ts";
import { falseAuthority } from "./actions/false-authority.ts";
import { falseUse } from "./actions/false-use.ts";
import { noise } from "./actions/noise.ts";
import { raceActions } from "./actions/race-actions.ts";
import { svActions } from "./actions/sv-actions.ts";
import { timeActions } from "./actions/time-actions.ts";
import { walletActions } from "./actions/wallet-actions.ts";
import { nothingIsStuck, replayReachesTheSame, windUp } from "./aftermath.ts";
import { foundWorld, type World } from "./world.ts";

export interface Run {
  readonly entries: number;
  /** Choices that were made and refusals that were given, with how often. */
  readonly seen: ReadonlyMap<string, number>;
}

/** Steps between two comparisons of the replica with the auditor's book. */
const COMPARE_EVERY = 25;
/** Steps that may be signed now and sequenced later: of one submission, or of several independent ones. */
const DELAYABLE = ["decide", "execute", "accept", "request", "renewals", "renew by hand", "transfer", "vote"];

export const allActions: readonly Action[] = [
  ...walletActions,
  ...svActions,
  ...timeActions,
  ...raceActions,
  ...falseAuthority,
  ...falseUse,
  ...noise,
];

export function simulate(seed: number, steps: number): Run {
  const trace: string[] = [];
  let step = 0;
  try {
    const world = foundWorld(seed);
    for (step = 1; step <= steps; step++) {
      const action = world.random.pickByWeight(allActions);
      trace.push(`${step} ${action.name}`);
      const told = act(world, action);
      trace.push(`${trace.pop()}${told}`);
      if (step % COMPARE_EVERY === 0) world.auditor.compare(world.network.state);
    }
    step = steps;
    trace.push("winding up");
    windUp(world);
    world.auditor.compare(world.network.state);
    nothingIsStuck(world);
    replayReachesTheSame(world);
    return { entries: world.network.log.length, seen: world.auditor.seen };
  } catch (error) {
    const replay = `CALLSIGN_SEED=${seed} CALLSIGN_STEPS=${step} npm test -- tests/simulation/simulation.test.ts`;
    throw runFailure(`The simulation failed after step ${step}`, replay, trace, error);
  }
}

function act(world: World, action: Action): string {
  const { random, network } = world;
  if (!DELAYABLE.includes(action.name) || !random.chance(0.15)) return `: ${action.run(world)}`;
  network.delay(() => action.run(world));
  return ", held back";
}
