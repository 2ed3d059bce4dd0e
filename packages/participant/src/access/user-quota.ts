/** A limit for each user, so that one user leaves room for the others. */
import { failWith } from "../requests/identifiers.ts";

export class UserQuota {
  readonly #max: number;
  readonly #what: string;
  readonly #taken = new Map<string, number>();

  /** `what`: a plural noun for the error. */
  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
  }

  /** Throws at the limit. Returns a function that gives the place back. Callers without a token share one quota. */
  take(userId: string | null): () => void {
    const user = userId ?? "";
    const taken = this.#taken.get(user) ?? 0;
    if (taken >= this.#max) {
      const cause = `${this.#max} ${this.#what} of one user are under way: wait for one of them, or try again in a second`;
      failWith("PARTICIPANT_BACKPRESSURE", cause);
    }
    this.#taken.set(user, taken + 1);
    return () => this.#giveBack(user);
  }

  #giveBack(user: string): void {
    const left = (this.#taken.get(user) ?? 0) - 1;
    if (left > 0) this.#taken.set(user, left);
    else this.#taken.delete(user);
  }
}
