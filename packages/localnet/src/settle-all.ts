/** The wait until no automation of the whole network has anything to do. */
import { startDeadline, type Timers } from "@callsign/node";
import type { Participant } from "@callsign/participant";
import { type SvNode, settleAutomations } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";
import type { Validator } from "@callsign/validator";
import { SETTLE_MILLISECONDS } from "./limits.ts";

/** The first SV whose replica runs; the first of all if none does. */
export function findRunning(svs: readonly SvNode[]): SvNode {
  return svs.find((sv) => sv.failure() === null) ?? (svs[0] as SvNode);
}

interface SettlingNode {
  readonly participant: Pick<Participant, "participantId" | "reach">;
  readonly validator: Pick<Validator, "idle">;
}

/** Resolves once no automation gives another one work. */
export async function settleAll(
  orderedLog: SqliteLog,
  svs: readonly SvNode[],
  nodes: readonly SettlingNode[],
  timers: Timers,
): Promise<void> {
  // An SV whose replica has stopped never becomes idle.
  const running = svs.filter((sv) => sv.failure() === null);
  const automations = running.map(({ automation }) => automation);
  const { signal, clear } = startDeadline(SETTLE_MILLISECONDS, { timers });
  const settleNode = async ({ participant, validator }: SettlingNode) => {
    // A validator knows no more than its participant has stored.
    await participant.reach(findRunning(svs).streamEnd(participant.participantId), signal);
    await validator.idle();
  };
  try {
    for (;;) {
      const { sequence } = await orderedLog.head();
      await settleAutomations(automations, { logHead: orderedLog.head, timers, signal });
      await Promise.all([...running.map((sv) => sv.idle()), ...nodes.map(settleNode)]);
      if ((await orderedLog.head()).sequence === sequence) return;
    }
  } finally {
    clear();
  }
}
