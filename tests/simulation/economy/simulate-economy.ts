/**
 * A run of the economy over a number of rounds, with random actions in between. It follows from its seed, and a failure
 * ends with the one line that replays it.
 */
import { HOUR, MINUTE } from "../../../packages/ledger/src/values/duration.ts";
import { nextRoundDue } from "../../../packages/ledger/testing/open-rounds.ts";
import { runFailure } from "../actions/action.ts";
import { svActions } from "../actions/sv-actions.ts";
import { walletActions } from "../actions/wallet-actions.ts";
import { replayReachesTheSame } from "../aftermath.ts";
import { scanSaysWhatWasCollected } from "./compare-scan.ts";
import { earningActions } from "./earning-actions.ts";
import type { EconomyAction } from "./economy-action.ts";
import { nothingIsLeft, windUpEconomy } from "./economy-aftermath.ts";
import { type EconomyWorld, foundEconomy } from "./economy-world.ts";
import { paymentActions } from "./payment-actions.ts";
import { workOnRounds } from "./round-work.ts";
import { tokenActions } from "./token-actions.ts";

export interface EconomyRun {
  readonly entries: number;
  readonly seen: ReadonlyMap<string, number>;
  /** Kinds of rewards of which some were minted. */
  readonly minted: ReadonlySet<string>;
}

/** Rounds between two comparisons of the replica with the auditor's book. */
const COMPARE_EVERY = 20;
/** The number of last rounds that scan is asked for after each round; at the end, for all of them. */
const ASKED_ROUNDS = 12;

/** Names are taken up in the other simulation; newcomers and rounds are the economy's own. */
const NOT_HERE: readonly string[] = [
  ...["newcomer", "advance round"],
  ...["request take-up", "withdraw take-up", "take up"],
];

const ACTIONS: readonly EconomyAction[] = [
  ...walletActions.filter(({ name }) => !NOT_HERE.includes(name)),
  ...svActions.filter(({ name }) => !NOT_HERE.includes(name)),
  ...paymentActions,
  ...earningActions,
  ...tokenActions,
];

export function simulateEconomy(seed: number, rounds: number): EconomyRun {
  const trace: string[] = [];
  let round = 0;
  try {
    const world = foundEconomy(seed);
    for (round = 1; round <= rounds; round++) {
      playRound(world, trace);
      scanSaysWhatWasCollected(world, BigInt(Math.max(0, round - ASKED_ROUNDS)));
      if (round % COMPARE_EVERY === 0) world.auditor.compare(world.network.state);
    }
    round = rounds;
    trace.push("winding up");
    windUpEconomy(world);
    world.auditor.compare(world.network.state);
    nothingIsLeft(world);
    scanSaysWhatWasCollected(world);
    replayReachesTheSame(world);
    return {
      entries: world.network.log.length,
      seen: world.auditor.seen,
      minted: new Set(world.auditor.rewards.minted.keys()),
    };
  } catch (error) {
    const replay = `CALLSIGN_SEED=${seed} CALLSIGN_ROUNDS=${round} npm test -- tests/simulation/economy.test.ts`;
    throw runFailure(`The economy failed in round ${round}`, replay, trace, error);
  }
}

/** Time passes in steps until the next round is due, or a little longer; in each step people and SVs act. */
export function playRound(world: EconomyWorld, trace: string[]): void {
  const { random, network } = world;
  for (let left = random.between(2, 4); left > 0; left--) {
    const due = nextRoundDue(network) - network.now;
    const span = due <= 0n ? MINUTE : due / BigInt(left);
    network.advance(1n + span + (random.chance(0.1) ? random.bigBelow(5n * MINUTE) : 0n));
    for (let actions = random.between(4, 20); actions > 0; actions--) act(world, trace);
    const isSlow = random.chance(0.5);
    trace.push(workOnRounds(world, isSlow ? 0.5 : 0.95));
  }
  // Sometimes hours pass without any action.
  if (random.chance(0.02)) network.advance(random.bigBelow(5n * HOUR));
}

function act(world: EconomyWorld, trace: string[]): void {
  const action = world.random.pickByWeight(ACTIONS);
  // The trace has the name even if the action throws.
  trace.push(action.name);
  trace.push(`${trace.pop()}: ${action.run(world)}`);
}
