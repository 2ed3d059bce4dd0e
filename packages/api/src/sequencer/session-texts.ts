/**
 * The texts that are signed and authenticated when a member reads from a sequencer. Each begins with a mark that no other
 * use of a key has.
 */

/** The sequencer, and what both sides brought to the opening of a session. */
export interface SessionOpening {
  readonly network: string;
  /** The sequencer's own member id, as its `getNetwork` says it. */
  readonly sequencer: string;
  /** The member that asks. */
  readonly member: string;
  /** The sequencer's, for the member to sign. */
  readonly challenge: string;
  /** The member's, for the sequencer to sign. */
  readonly memberChallenge: string;
  /** X25519 keys for this session alone. */
  readonly memberKey: string;
  readonly sequencerKey: string;
}

/** Signed by the sequencer: the session's keys and challenges come from the holder of the SV's signing key. */
export function openingMessage(opening: SessionOpening): string {
  const { network, sequencer, member, challenge, memberChallenge, memberKey, sequencerKey } = opening;
  return [
    "callsign-opening-1",
    network,
    sequencer,
    member,
    challenge,
    memberChallenge,
    memberKey,
    sequencerKey,
  ].join("\n");
}

/**
 * Signed by the member. It covers the sequencer that opens the session and the challenge, so a proof that is made for one
 * sequencer opens nothing at another. The sequencer has signed the challenge together with both sides' session keys.
 */
export function sessionMessage(given: Pick<SessionOpening, "network" | "sequencer" | "challenge">): string {
  const { network, sequencer, challenge } = given;
  return `callsign-session-1\n${network}\n${sequencer}\n${challenge}`;
}

/** Signed by the SV's namespace key: its signing key. Of two certificates, the one with the higher serial counts. */
export function svKeyMessage(given: {
  readonly network: string;
  readonly sv: string;
  readonly signingKey: string;
  readonly serial: number;
}): string {
  const { network, sv, signingKey, serial } = given;
  return `callsign-sv-key-1\n${network}\n${sv}\n${signingKey}\n${serial}`;
}

/** The header with the authentication of an answer within a session. */
export const ANSWER_SEAL_HEADER = "x-callsign-answer-seal";

/** Authenticated by the session's key: the operation, the parameters that were asked for, and the answer's body. */
export function sealedText(given: {
  readonly operation: string;
  readonly asked: readonly (string | number)[];
  readonly body: string;
}): string {
  const { operation, asked, body } = given;
  return `callsign-answer-1\n${JSON.stringify([operation, ...asked])}\n${body}`;
}
