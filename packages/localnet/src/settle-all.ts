/** The wait until no automation of the whole network has anything to do. */
import { startDeadline, type Timers } from "@callsign/node";
import { type SvNode, settleAutomations } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";
import type { Validator } from "@callsign/validator";
import { SETTLE_MILLISECONDS } from "./limits.ts";

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
  try {
    for (;;) {
      const { sequence } = await orderedLog.head();
      await settleAutomations(automations, { logHead: orderedLog.head, timers, signal });
      await Promise.all([...running, ...validators].map((node) => node.idle()));
      if ((await orderedLog.head()).sequence === sequence) return;
    }
  } finally {
    clear();
  }
}
