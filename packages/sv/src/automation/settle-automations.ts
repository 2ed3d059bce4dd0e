/** Waits until SVs together have nothing more to do. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SvAutomation } from "./sv-automation.ts";
import { untilAborted } from "./until-aborted.ts";

const PAUSE_MILLISECONDS = 2;

/**
 * Resolves once all of these SVs are idle and have applied all of the log: what one of them does may give work to the
 * others. Rejects with the signal's reason. Of SVs that do not run, none may be among them.
 */
export async function settleAutomations(
  automations: readonly SvAutomation[],
  logHead: () => Promise<{ readonly sequence: number }>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await untilAborted(Promise.all(automations.map((automation) => automation.idle())), signal);
    const { sequence } = await logHead();
    if (automations.every((automation) => automation.isIdleAt(sequence))) return;
    await sleep(PAUSE_MILLISECONDS, undefined, { signal });
  }
}
