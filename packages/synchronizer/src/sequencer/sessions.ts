/**
 * Sessions of members: a member signs a challenge that was made for it and gets a token to follow its stream with.
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

export interface Session {
  readonly member: string;
  readonly expiresAt: number;
}

export interface Proof {
  readonly member: string;
  readonly challenge: string;
  readonly publicKey: string;
  readonly signature: string;
}

export class Sessions {
  readonly #sequencer: string;
  readonly #view: LedgerView;
  readonly #verify: Verify;
  readonly #host: Host;
  readonly #challenges = new BoundedMap<string, Session>({ limit: MAX_CHALLENGES });
  readonly #sessions = new BoundedMap<string, Session>({ limit: MAX_SESSIONS });

  constructor(parts: {
    /** The member id of the SV whose sequencer this is. */
    readonly sequencer: string;
    readonly view: LedgerView;
    readonly verify: Verify;
    readonly host: Host;
  }) {
    this.#sequencer = parts.sequencer;
    this.#view = parts.view;
    this.#verify = parts.verify;
    this.#host = parts.host;
  }

  challenge(member: string): string {
    const challenge = this.#newSecret();
    const expiresAt = this.#host.clock.wallMilliseconds() + CHALLENGE_MILLISECONDS;
    this.#challenges.set(challenge, { member, expiresAt });
    return challenge;
  }

  /** Null if the proof does not hold. A challenge can be used once. */
  open({ member, challenge, publicKey, signature }: Proof): (Session & { readonly token: string }) | null {
    const asked = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    if (
      asked === undefined ||
      asked.member !== member ||
      asked.expiresAt < this.#host.clock.wallMilliseconds()
    )
      return null;
    const known = this.#view.findMember(member);
    if (known === undefined || ![known.namespaceKey, ...known.signingKeys].includes(publicKey)) return null;
    const network = this.#view.network?.id ?? "";
    const message = sessionMessage({ network, sequencer: this.#sequencer, challenge });
    if (!this.#verify(publicKey, message, signature)) return null;
    const token = this.#newSecret();
    const session = { member, expiresAt: this.#host.clock.wallMilliseconds() + SESSION_MILLISECONDS };
    this.#makeRoom(member);
    this.#sessions.set(token, session);
    return { ...session, token };
  }

  /** A member with too many sessions loses its own oldest one. */
  #makeRoom(member: string): void {
    const own = [...this.#sessions.entries()].filter(([, session]) => session.member === member);
    const [oldest] = own;
    if (own.length >= MAX_SESSIONS_OF_MEMBER && oldest !== undefined) this.#sessions.delete(oldest[0]);
  }

  /** The member of an open session; null if there is none. */
  find(token: string): string | null {
    const session = this.#sessions.get(token);
    return session === undefined || session.expiresAt < this.#host.clock.wallMilliseconds()
      ? null
      : session.member;
  }

  #newSecret(): string {
    return Buffer.from(this.#host.randomness.bytes(32)).toString("hex");
  }
}
