/**
 * How a member shows that it is one: it signs a challenge that was made for it, and gets a token to follow with.
 * Challenges and sessions live in memory: whoever loses one asks for another.
 */
import { randomBytes } from "node:crypto";
import { sessionMessage } from "@callsign/api";
import type { LedgerView, Verify } from "@callsign/ledger";

const CHALLENGE_MILLISECONDS = 60_000;
const SESSION_MILLISECONDS = 3_600_000;
const MAX_CHALLENGES = 10_000;
const MAX_SESSIONS = 10_000;
const MAX_SESSIONS_OF_MEMBER = 16;

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
  readonly #clock: () => number;
  readonly #challenges = new Map<string, Session>();
  readonly #sessions = new Map<string, Session>();

  constructor(parts: {
    /** The member id of the SV whose sequencer this is. */
    readonly sequencer: string;
    readonly view: LedgerView;
    readonly verify: Verify;
    readonly clock?: () => number;
  }) {
    this.#sequencer = parts.sequencer;
    this.#view = parts.view;
    this.#verify = parts.verify;
    this.#clock = parts.clock ?? Date.now;
  }

  challenge(member: string): string {
    const challenge = randomBytes(32).toString("hex");
    keep(this.#challenges, MAX_CHALLENGES, challenge, {
      member,
      expiresAt: this.#clock() + CHALLENGE_MILLISECONDS,
    });
    return challenge;
  }

  /** Null if the proof does not hold. A challenge serves once. */
  open({ member, challenge, publicKey, signature }: Proof): (Session & { readonly token: string }) | null {
    const asked = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    if (asked === undefined || asked.member !== member || asked.expiresAt < this.#clock()) return null;
    const known = this.#view.findMember(member);
    if (known === undefined || ![known.namespaceKey, ...known.signingKeys].includes(publicKey)) return null;
    const network = this.#view.network?.id ?? "";
    const message = sessionMessage({ network, sequencer: this.#sequencer, challenge });
    if (!this.#verify(publicKey, message, signature)) return null;
    const token = randomBytes(32).toString("hex");
    const session = { member, expiresAt: this.#clock() + SESSION_MILLISECONDS };
    this.#makeRoom(member);
    keep(this.#sessions, MAX_SESSIONS, token, session);
    return { ...session, token };
  }

  /** A member that opens more sessions than it needs loses its own oldest, and nobody else's. */
  #makeRoom(member: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.member === member);
    const [oldest] = own;
    if (own.length >= MAX_SESSIONS_OF_MEMBER && oldest !== undefined) this.#sessions.delete(oldest[0]);
  }

  /** The member whose session it is, as long as it lasts. */
  find(token: string): string | null {
    const session = this.#sessions.get(token);
    return session === undefined || session.expiresAt < this.#clock() ? null : session.member;
  }
}

/** The oldest makes room. */
function keep(map: Map<string, Session>, limit: number, key: string, session: Session): void {
  if (map.size >= limit) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, session);
}
