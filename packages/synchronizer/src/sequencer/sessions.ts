/**
 * Sessions of members: a member signs a challenge that was made for it and gets a token to follow its stream with. The
 * sequencer proves itself with the challenge, and both derive a key that authenticates the answers of the session. A session
 * ends with the key that opened it: the holder of a key that was replaced reads no more.
 * Challenges and sessions live in memory; a member that loses one asks for another.
 */
import { openingMessage, type SequencerProof, sessionMessage } from "@callsign/api";
import type { LedgerView, Verify } from "@callsign/ledger";
import {
  BoundedMap,
  type Host,
  type MemberIdentity,
  makeEphemeralKey,
  type SessionKey,
} from "@callsign/node";
import {
  CHALLENGE_MILLISECONDS,
  MAX_CHALLENGES,
  MAX_SESSIONS,
  MAX_SESSIONS_OF_MEMBER,
  SESSION_MILLISECONDS,
} from "../limits/limits.ts";
import { SequencerProofs } from "./prove-sequencer.ts";

export interface Proof {
  readonly member: string;
  readonly challenge: string;
  readonly publicKey: string;
  readonly signature: string;
}

/** A question of a member that would open a session. */
export interface SessionRequest {
  readonly member: string;
  /** The member's own; null in an earlier release, like the key. */
  readonly challenge: string | null;
  /** The member's X25519 key. */
  readonly sessionKey: string | null;
}

interface Challenge {
  readonly member: string;
  /** Null for a member of an earlier release: its answers are not authenticated. */
  readonly key: SessionKey | null;
}

export interface Session extends Challenge {
  /** The key that opened it. */
  readonly publicKey: string;
}

interface SessionsParts {
  /** Of the SV whose sequencer this is. */
  readonly identity: MemberIdentity;
  readonly view: LedgerView;
  readonly verify: Verify;
  readonly host: Host;
}

export class Sessions {
  readonly #parts: SessionsParts;
  readonly #proofs: SequencerProofs;
  /** By the text of the challenge. */
  readonly #challenges: BoundedMap<string, Challenge>;
  readonly #sessions: BoundedMap<string, Session>;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#proofs = new SequencerProofs(parts);
    const now = parts.host.clock.wallMilliseconds;
    const timeToLive = (milliseconds: number) => ({ timeToLive: { milliseconds, now } });
    this.#challenges = new BoundedMap({ limit: MAX_CHALLENGES, ...timeToLive(CHALLENGE_MILLISECONDS) });
    this.#sessions = new BoundedMap({ limit: MAX_SESSIONS, ...timeToLive(SESSION_MILLISECONDS) });
  }

  /** Null if the member's session key is none. */
  challenge({ member, challenge: memberChallenge, sessionKey }: SessionRequest): {
    readonly challenge: string;
    readonly proof: SequencerProof | null;
  } | null {
    const { host, identity } = this.#parts;
    const challenge = this.#newSecret();
    if (memberChallenge === null || sessionKey === null) {
      this.#challenges.set(challenge, { member, key: null });
      return { challenge, proof: null };
    }
    const own = makeEphemeralKey(host.randomness);
    const keys = { memberKey: sessionKey, sequencerKey: own.publicKey };
    const opening = { network: this.#network, member, challenge, memberChallenge, ...keys };
    const key = own.agree(sessionKey, openingMessage({ ...opening, sequencer: identity.id }));
    if (key === null) return null;
    this.#challenges.set(challenge, { member, key });
    return { challenge, proof: this.#proofs.prove(opening) };
  }

  /** True for a key of the registered member; null if there is no such member. */
  hasKey(member: string, publicKey: string): boolean | null {
    const known = this.#parts.view.findMember(member);
    return known === undefined ? null : [known.namespaceKey, ...known.signingKeys].includes(publicKey);
  }

  /** Null if the proof does not hold. A challenge can be used once. */
  open({ member, challenge, publicKey, signature }: Proof): { token: string; expiresAt: number } | null {
    const asked = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    if (asked?.member !== member) return null;
    const { identity, verify, host } = this.#parts;
    if (this.hasKey(member, publicKey) !== true) return null;
    const message = sessionMessage({ network: this.#network, sequencer: identity.id, challenge });
    if (!verify(publicKey, message, signature)) return null;
    const token = this.#newSecret();
    this.#makeRoom(member);
    this.#sessions.set(token, { ...asked, publicKey });
    return { token, expiresAt: host.clock.wallMilliseconds() + SESSION_MILLISECONDS };
  }

  /** A member with too many sessions loses its own oldest one. */
  #makeRoom(member: string): void {
    const own = [...this.#sessions.entries()].filter(([, owner]) => owner.member === member);
    const [oldest] = own;
    if (own.length >= MAX_SESSIONS_OF_MEMBER && oldest !== undefined) this.#sessions.delete(oldest[0]);
  }

  /** An open session; null if there is none. */
  find(token: string): Session | null {
    const session = this.#sessions.get(token);
    if (session === undefined) return null;
    return this.hasKey(session.member, session.publicKey) === true ? session : null;
  }

  get #network(): string {
    return this.#parts.view.network?.id ?? "";
  }

  #newSecret(): string {
    return Buffer.from(this.#parts.host.randomness.bytes(32)).toString("hex");
  }
}
