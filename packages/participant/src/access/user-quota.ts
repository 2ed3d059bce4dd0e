/** A limit for each user, so that one user leaves room for the others. */
import { Quota } from "@callsign/node";
import { failWith } from "../requests/identifiers.ts";

export class UserQuota {
  readonly #max: number;
  readonly #what: string;
  readonly #places: Quota;

  /** `what`: a plural noun for the error. */
  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
    this.#places = new Quota(max);
  }

  /** Throws at the limit. Returns a function that gives the place back. Callers without a token share one quota. */
  take(userId: string | null): () => void {
    const giveBack = this.#places.take(userId ?? "");
    if (giveBack !== null) return giveBack;
    const cause = `${this.#max} ${this.#what} of one user are under way: wait for one of them, or try again in a second`;
    return failWith("PARTICIPANT_BACKPRESSURE", cause);
  }
}
