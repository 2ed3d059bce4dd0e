/** Steps of the tests of a split network. */
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { Random } from "../support/random.ts";
import { acceptedBy, type Follower, type Split, SplitNetwork, setThreshold } from "./split-network.ts";
import type { Side } from "./two-faced-log.ts";

/** One of four SVs lies, and the engine shows one history to two of the others. */
export function drawSplit(random: Random): Split {
  const liar = random.below(4);
  const alone = random.pick([0, 1, 2, 3].filter((rank) => rank !== liar));
  const side = random.below(2) as Side;
  const shown = [0, 1, 2, 3].map((rank) =>
    rank === alone ? otherThan(side) : side,
  ) as unknown as Split["shown"];
  return { shown, liar, told: [side, otherThan(side)] };
}

export function otherThan(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** A split network on which each history has gone on by a transaction that both participants see. */
export async function startSplit(split: Split, atEnd: AtEnd) {
  const network = await SplitNetwork.start(split, atEnd);
  // An SV of each side moves the clock: record times differ, and the SV waits for a quorum.
  const moves = ([0, 1] as const).map((side) => settle(network.svOn(side).moveClock(1_000_000n)));
  await Promise.all(([0, 1] as const).map((side) => network.append(side)));
  return { network, moves };
}

interface Settled {
  /** True once it resolved. */
  isDone: boolean;
  readonly ended: Promise<string | null>;
}

/** Follows a promise that may never resolve: `ended` gives the reason of its failure, or null. */
function settle(promise: Promise<unknown>): Settled {
  const ended = promise.then(
    () => {
      settled.isDone = true;
      return null;
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const settled: Settled = { isDone: false, ended };
  return settled;
}

/** Waits until all SVs have delivered an item to the participant that the histories do not share. */
export async function hearAll({ connections, common }: Follower): Promise<void> {
  const isHeard = () => connections.every((connection) => connection.followedAfter() > common);
  await until(isHeard, "every SV has delivered an item of its history");
}

/** From now on the participant hears nothing from the honest SVs of a side, and f + 1 SVs are enough for it. */
export async function plant(network: SplitNetwork, follower: Follower, silent: Side): Promise<void> {
  for (const rank of network.honestOn(silent)) follower.connections[rank]?.behave("silent");
  await setThreshold(follower, 2);
}

export async function accepts(follower: Follower, count: number): Promise<readonly string[]> {
  await until(async () => (await acceptedBy(follower)).length >= count, `${count} transactions are accepted`);
  return acceptedBy(follower);
}
