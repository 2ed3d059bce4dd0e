/** Moves of the network's clock, each followed by a wait until the automations have settled. */
import type { Time } from "@callsign/ledger";
import { KeyedQueue, startDeadline, type Timers } from "@callsign/node";
import { type SvNode, settleAutomations } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";
import type { Validator } from "@callsign/validator";
import { SETTLE_MILLISECONDS } from "./limits.ts";

/** Half of the time within which a name can be renewed. */
const CLOCK_STEP = 15n * 86_400_000_000n;
const MAX_CLOCK_STEPS = 60n;

/** Moves queue: one is made at a time. */
export function clockMover(
  svs: readonly SvNode[],
  settle: () => Promise<void>,
): (microseconds: bigint) => Promise<Time> {
  const queue = new KeyedQueue();
  return (microseconds) =>
    queue.run("clock", async () => {
      const first = findRunning(svs);
      for (const step of stepsOf(microseconds)) {
        await first.moveClock(step);
        await settle();
      }
      if (microseconds === 0n) await settle();
      return first.now();
    });
}

/** The first SV whose replica runs; the first of all if none does. */
export function findRunning(svs: readonly SvNode[]): SvNode {
  return svs.find((sv) => sv.failure() === null) ?? (svs[0] as SvNode);
}

/** Resolves once no automation gives another one work. */
export async function settleAll(
  orderedLog: SqliteLog,
  svs: readonly SvNode[],
  validators: readonly Validator[],
  timers: Timers,
): Promise<void> {
  // An SV whose replica has stopped never becomes idle.
  const running = svs.filter((sv) => sv.failure() === null);
  const automations = running.map(({ automation }) => automation);
  const { signal, clear } = startDeadline(SETTLE_MILLISECONDS, { timers });
  for (;;) {
    const { sequence } = await orderedLog.head();
    await settleAutomations(automations, { logHead: orderedLog.head, timers, signal });
    await Promise.all([...running, ...validators].map((node) => node.idle()));
    if ((await orderedLog.head()).sequence === sequence) break;
  }
  clear();
}

/** A long move is made in steps: a name is renewed in its last 30 days, and not after them. */
function stepsOf(microseconds: bigint): readonly bigint[] {
  const even = microseconds / MAX_CLOCK_STEPS + 1n;
  const step = even > CLOCK_STEP ? even : CLOCK_STEP;
  const steps: bigint[] = [];
  for (let left = microseconds; left > 0n; left -= step) steps.push(left < step ? left : step);
  return steps;
}
