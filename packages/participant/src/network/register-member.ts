/** Asks the network to take the participant in, now and then, until it has. */
import { randomUUID } from "node:crypto";
import { timeFromMicros } from "@callsign/ledger";
import { type Log, type MemberIdentity, signEntry } from "@callsign/node";
import type { SequencerConnections } from "./sequencer-connections.ts";

const WINDOW_MICROSECONDS = 60_000_000n;
const FIRST_PAUSE_MILLISECONDS = 500;
const MAX_PAUSE_MILLISECONDS = 30_000;

/** Several connections may find out at once: one asks. */
export function createRegistration(parts: {
  readonly identity: MemberIdentity;
  readonly log: Log;
  readonly elapsed: () => number;
}): (connections: SequencerConnections) => Promise<void> {
  const { identity, log, elapsed } = parts;
  let next = 0;
  let attempts = 0;
  let pause = FIRST_PAUSE_MILLISECONDS;
  return async (connections) => {
    const { network } = connections;
    if (network === null || elapsed() < next) return;
    next = elapsed() + pause;
    pause = Math.min(2 * pause, MAX_PAUSE_MILLISECONDS);
    const now = await connections.now();
    if (now === undefined) return;
    const { id: member, nodeIdentifier, namespaceKey, signingKey } = identity;
    const content = {
      tag: "RegisterMember" as const,
      value: {
        network: network.network,
        member,
        submissionId: randomUUID(),
        maxRecordTime: timeFromMicros(now + WINDOW_MICROSECONDS),
        nodeIdentifier,
        namespaceKey: namespaceKey.publicKey,
        signingKeys: [signingKey.publicKey],
      },
    };
    const handover = await connections.submit(signEntry(content, [namespaceKey, signingKey]), attempts++);
    log.info({ member, handover: handover.kind }, "the participant asked to become a member");
  };
}
