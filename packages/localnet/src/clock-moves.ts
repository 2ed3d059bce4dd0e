/** How the network's clock is moved, and when everything that follows from it is done. */
import type { Time } from "@callsign/ledger";
import { type SvNode, settleAutomations } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";
import type { Validator } from "@callsign/validator";

const SETTLE_MILLISECONDS = 30_000;
/** Half of the time within which a name can be renewed. */
const CLOCK_STEP = 15n * 86_400_000_000n;
const MAX_CLOCK_STEPS = 60n;

/** Who asks while another move is being made is served after it. */
export function clockMover(
  first: SvNode,
  settle: () => Promise<void>,
): (microseconds: bigint) => Promise<Time> {
  return oneAtATime(async (microseconds) => {
    for (const step of stepsOf(microseconds)) {
      await first.moveClock(step);
      await settle();
    }
    if (microseconds === 0n) await settle();
    return first.now();
  });
}

/** Until nothing that one automation does gives another one work. */
export async function settleAll(
  orderedLog: SqliteLog,
  svs: readonly SvNode[],
  validators: readonly Validator[],
): Promise<void> {
  // An SV whose replica has stopped does nothing more.
  const running = svs.filter((sv) => sv.failure() === null);
  const automations = running.map(({ automation }) => automation);
  const signal = AbortSignal.timeout(SETTLE_MILLISECONDS);
  for (;;) {
    const { sequence } = await orderedLog.head();
    await settleAutomations(automations, orderedLog.head, signal);
    await Promise.all([...running, ...validators].map((node) => node.idle()));
    if ((await orderedLog.head()).sequence === sequence) return;
  }
}

/**
 * A long move is made in steps, so that what would have happened on the way does: a name is renewed in its last 30
 * days, not after them.
 */
function stepsOf(microseconds: bigint): readonly bigint[] {
  const even = microseconds / MAX_CLOCK_STEPS + 1n;
  const step = even > CLOCK_STEP ? even : CLOCK_STEP;
  const steps: bigint[] = [];
  for (let left = microseconds; left > 0n; left -= step) steps.push(left < step ? left : step);
  return steps;
}

/** Who asks while another is being served is served after it. */
function oneAtATime<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (argument) => {
    const done = last.then(() => work(argument));
    last = done.catch(() => undefined);
    return done;
  };
}
