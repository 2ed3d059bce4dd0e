/** How much of something one user may have at a time, so that nobody takes all of it. */
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";

export class UserQuota {
  readonly #max: number;
  readonly #what: string;
  readonly #taken = new Map<string, number>();

  /** `what`: in the plural, for who is refused. */
  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
  }

  /** Answers how to give it back, once; refuses who has enough. Without a token everybody is the same. */
  take(userId: string | null): () => void {
    const user = userId ?? "";
    const taken = this.#taken.get(user) ?? 0;
    if (taken >= this.#max) {
      const cause = `${this.#max} ${this.#what} of one user are under way: wait for one of them, or try again in a second`;
      throw new LedgerFailure(ledgerError("PARTICIPANT_BACKPRESSURE", cause));
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
