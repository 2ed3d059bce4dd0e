/** Asks the network to register the participant as a member. */
import { timeFromMicros } from "@callsign/ledger";
import { Backoff, type Host, type Log, type MemberIdentity, signEntry } from "@callsign/node";
import { ENTRY_WINDOW_MICROSECONDS, REGISTRATION } from "../limits/limits.ts";
import type { SequencerSet } from "./sequencer-set.ts";

/** Followers of several sequencers may call at once, and again and again: calls within the backoff do nothing. */
export function createRegistration(parts: {
  readonly identity: MemberIdentity;
  readonly log: Log;
  readonly host: Host;
}): (set: SequencerSet) => Promise<void> {
  const { identity, log, host } = parts;
  const { elapsedMilliseconds } = host.clock;
  const backoff = new Backoff(REGISTRATION);
  let nextAt = 0;
  let attempts = 0;
  return async (set) => {
    const { network } = set;
    if (network === null || elapsedMilliseconds() < nextAt) return;
    nextAt = elapsedMilliseconds() + backoff.next();
    const now = await set.now();
    if (now === undefined) return;
    const { id: member, nodeIdentifier, namespaceKey, signingKey } = identity;
    const content = {
      tag: "RegisterMember" as const,
      value: {
        network: network.network,
        member,
        submissionId: host.randomness.uuid(),
        maxRecordTime: timeFromMicros(now + ENTRY_WINDOW_MICROSECONDS),
        nodeIdentifier,
        namespaceKey: namespaceKey.publicKey,
        signingKeys: [signingKey.publicKey],
      },
    };
    const handover = await set.submit(signEntry(content, [namespaceKey, signingKey]), attempts++);
    log.info({ member, handover: handover.kind }, "registration as a member submitted");
  };
}
