/**
 * Sessions of members: a member signs a challenge that was made for it and gets a token to follow its stream with. A session
 * ends with the key that opened it: the holder of a key that was replaced reads no more.
 * Challenges and sessions live in memory; a member that loses one asks for another.
 */
import { sessionMessage } from "@callsign/api";
import type { LedgerView, Verify } from "@callsign/ledger";
import { BoundedMap, type Host } from "@callsign/node";
import {
  CHALLENGE_MILLISECONDS,
  MAX_CHALLENGES,
  MAX_SESSIONS,
  MAX_SESSIONS_OF_MEMBER,
  SESSION_MILLISECONDS,
} from "../limits/limits.ts";

export interface Proof {
  readonly member: string;
  readonly challenge: string;
  readonly publicKey: string;
  readonly signature: string;
}

interface Session {
  readonly member: string;
  /** The key that opened it. */
  readonly publicKey: string;
}

interface SessionsParts {
  /** The member id of the SV whose sequencer this is. */
  readonly sequencerId: string;
  readonly view: LedgerView;
  readonly verify: Verify;
  readonly host: Host;
}

export class Sessions {
  readonly #parts: SessionsParts;
  /** The members that asked for challenges. */
  readonly #challenges: BoundedMap<string, string>;
  readonly #sessions: BoundedMap<string, Session>;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    const now = parts.host.clock.wallMilliseconds;
    const timeToLive = (milliseconds: number) => ({ timeToLive: { milliseconds, now } });
    this.#challenges = new BoundedMap({ limit: MAX_CHALLENGES, ...timeToLive(CHALLENGE_MILLISECONDS) });
    this.#sessions = new BoundedMap({ limit: MAX_SESSIONS, ...timeToLive(SESSION_MILLISECONDS) });
  }

  challenge(member: string): string {
    const challenge = this.#newSecret();
    this.#challenges.set(challenge, member);
    return challenge;
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
    if (asked !== member) return null;
    const { sequencerId: sequencer, view, verify, host } = this.#parts;
    if (this.hasKey(member, publicKey) !== true) return null;
    const network = view.network?.id ?? "";
    const message = sessionMessage({ network, sequencer, challenge });
    if (!verify(publicKey, message, signature)) return null;
    const token = this.#newSecret();
    this.#makeRoom(member);
    this.#sessions.set(token, { member, publicKey });
    return { token, expiresAt: host.clock.wallMilliseconds() + SESSION_MILLISECONDS };
  }

  /** A member with too many sessions loses its own oldest one. */
  #makeRoom(member: string): void {
    const own = [...this.#sessions.entries()].filter(([, owner]) => owner.member === member);
    const [oldest] = own;
    if (own.length >= MAX_SESSIONS_OF_MEMBER && oldest !== undefined) this.#sessions.delete(oldest[0]);
  }

  /** The member of an open session; null if there is none. */
  find(token: string): string | null {
    const session = this.#sessions.get(token);
    if (session === undefined) return null;
    return this.hasKey(session.member, session.publicKey) === true ? session.member : null;
  }

  #newSecret(): string {
    return Buffer.from(this.#parts.host.randomness.bytes(32)).toString("hex");
  }
}
