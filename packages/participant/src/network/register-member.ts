/** Asks the network to take the participant in, now and then, until it has. */
import { randomUUID } from "node:crypto";
import { timeFromMicros } from "@callsign/ledger";
import { type Log, type MemberIdentity, signEntry } from "@callsign/node";
import { ENTRY_WINDOW_MICROSECONDS, REGISTRATION } from "../limits/limits.ts";
import type { SequencerConnections } from "./sequencer-connections.ts";

/** Several connections may find out at once: one asks. */
export function createRegistration(parts: {
  readonly identity: MemberIdentity;
  readonly log: Log;
  readonly elapsed: () => number;
}): (connections: SequencerConnections) => Promise<void> {
  const { identity, log, elapsed } = parts;
  let next = 0;
  let attempts = 0;
  let pause: number = REGISTRATION.firstMilliseconds;
  return async (connections) => {
    const { network } = connections;
    if (network === null || elapsed() < next) return;
    next = elapsed() + pause;
    pause = Math.min(2 * pause, REGISTRATION.longestMilliseconds);
    const now = await connections.now();
    if (now === undefined) return;
    const { id: member, nodeIdentifier, namespaceKey, signingKey } = identity;
    const content = {
      tag: "RegisterMember" as const,
      value: {
        network: network.network,
        member,
        submissionId: randomUUID(),
        maxRecordTime: timeFromMicros(now + ENTRY_WINDOW_MICROSECONDS),
        nodeIdentifier,
        namespaceKey: namespaceKey.publicKey,
        signingKeys: [signingKey.publicKey],
      },
    };
    const handover = await connections.submit(signEntry(content, [namespaceKey, signingKey]), attempts++);
    log.info({ member, handover: handover.kind }, "the participant asked to become a member");
  };
}
