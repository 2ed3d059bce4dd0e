import { makeEphemeralKey, systemHost } from "@callsign/node";

/** A member's part of the opening of a session, for a member that does not check the sequencer. */
export function freshOpening() {
  const { randomness } = systemHost;
  const challenge = Buffer.from(randomness.bytes(32)).toString("hex");
  return { challenge, sessionKey: makeEphemeralKey(randomness).publicKey };
}
