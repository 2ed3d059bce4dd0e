/**
 * Users that have called lately, with their rights: every call asks for its user. A change by this process holds for the next
 * call. One from elsewhere, as by a database server that loses its last commits, is seen a moment later.
 */
import { BoundedMap, type Clock } from "@callsign/node";
import { CACHED_CALLERS, CALLER_CACHE_MILLISECONDS } from "../limits/limits.ts";
import type { HeldRights } from "./held-rights.ts";

/** A user that calls. */
export interface CallingUser {
  readonly id: string;
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  readonly rights: HeldRights;
}

export class CallingUsers {
  readonly #known: BoundedMap<string, CallingUser>;
  /** The number of changes so far. */
  #changes = 0;

  constructor({ elapsedMilliseconds: now }: Clock) {
    const timeToLive = { milliseconds: CALLER_CACHE_MILLISECONDS, now };
    this.#known = new BoundedMap({ limit: CACHED_CALLERS, timeToLive });
  }

  /** A user is not remembered behind a change that its read may have come before. */
  async find(id: string, read: () => Promise<CallingUser | undefined>): Promise<CallingUser | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const user = await read();
    if (user !== undefined && changes === this.#changes) this.#known.set(id, user);
    return user;
  }

  /** Call with every transaction that may change a user or its rights. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#changes++;
      this.#known.clear();
    }
  }
}
