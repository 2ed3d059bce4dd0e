/**
 * Users whom the participant has lately let act as their wallet's party. Canton caches users and rights for as long
 * (decision 0057). Refusals are not kept: a right that is granted counts at once.
 */
import type { PartyId } from "@callsign/ledger";
import { BoundedMap, type Clock } from "@callsign/node";
import { CACHED_GRANTS, GRANT_CACHE_MILLISECONDS } from "../limits/limits.ts";

export class WalletGrants {
  readonly #granted: BoundedMap<string, PartyId>;
  #changes = 0;

  constructor(clock: Clock) {
    const timeToLive = { milliseconds: GRANT_CACHE_MILLISECONDS, now: () => clock.elapsedMilliseconds() };
    this.#granted = new BoundedMap({ limit: CACHED_GRANTS, timeToLive });
  }

  has(userName: string, party: PartyId): boolean {
    return this.#granted.get(userName) === party;
  }

  /**
   * Call before the participant is asked. The function that it returns keeps a grant, unless a user has been changed in the
   * meantime: the participant may have answered before the change.
   */
  asking(userName: string): (party: PartyId) => void {
    const changes = this.#changes;
    return (party) => {
      if (changes === this.#changes) this.#granted.set(userName, party);
    };
  }

  /** Call when this validator has changed the user. */
  forget(userName: string): void {
    this.#changes++;
    this.#granted.delete(userName);
  }
}
