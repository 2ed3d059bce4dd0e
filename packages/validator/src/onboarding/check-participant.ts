/** The participant is the one that configuration names. */
import type { ParticipantClient } from "../ledger/participant-client.ts";

export async function checkNodeIdentifier(
  participant: ParticipantClient,
  nodeIdentifier: string | undefined,
): Promise<void> {
  if (nodeIdentifier === undefined) return;
  const id = await participant.participantId();
  if (id.startsWith(`${nodeIdentifier}::`)) return;
  throw new Error(
    `the participant is ${id}, and configuration names the node identifier ${nodeIdentifier}: check the participant's ` +
      "address, or give the identifier that its first start fixed",
  );
}
