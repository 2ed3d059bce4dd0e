/**
 * Tells the operator of a participant whose id begins otherwise than configured. The participant's own first start fixes
 * that beginning; values files of Splice name it for the validator alone, so that a difference stops nothing.
 */
import type { Log } from "@callsign/node";
import type { ParticipantClient } from "../ledger/participant-client.ts";

export async function checkNodeIdentifier(
  { participant, log }: { readonly participant: ParticipantClient; readonly log: Log },
  nodeIdentifier: string | undefined,
): Promise<void> {
  if (nodeIdentifier === undefined) return;
  const id = await participant.participantId();
  if (id.startsWith(`${nodeIdentifier}::`)) return;
  log.warn(
    { participant: id, nodeIdentifier },
    "the participant has another node identifier than configured: it was fixed by the participant's first start. " +
      "Check the participant's address, or configure the identifier that it has",
  );
}
