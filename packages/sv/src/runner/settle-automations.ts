/** Waits until SVs together have nothing more to do. */
import { sleep, type Timers, untilAborted } from "@callsign/node";
import type { SvAutomations } from "./sv-automations.ts";

const PAUSE_MILLISECONDS = 2;

export interface SettleOptions {
  readonly logHead: () => Promise<{ readonly sequence: number }>;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

/**
 * Resolves once all of these SVs are idle and have applied all of the log: a task of one of them may give work to the
 * others. Rejects with the signal's reason. All of them must be running.
 */
export async function settleAutomations(
  automations: readonly SvAutomations[],
  { logHead, timers, signal }: SettleOptions,
): Promise<void> {
  for (;;) {
    await untilAborted(Promise.all(automations.map((automation) => automation.idle())), signal);
    const { sequence } = await logHead();
    if (automations.every((automation) => automation.isIdleAt(sequence))) return;
    signal.throwIfAborted();
    await sleep(PAUSE_MILLISECONDS, { timers, signal });
  }
}
