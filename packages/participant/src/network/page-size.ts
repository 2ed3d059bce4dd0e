/**
 * The page size and the timeout of requests to one sequencer. A page that was too large or too slow is asked for again as
 * a smaller one, down to a single item; full pages let the size grow.
 */
import { MAX_FOLLOW_ITEMS } from "@callsign/api";
import { ANSWER_MILLISECONDS, MAX_ANSWER_MILLISECONDS } from "../limits/limits.ts";

export class PageSize {
  #limit = MAX_FOLLOW_ITEMS;
  #patience = ANSWER_MILLISECONDS;

  get limit(): number {
    return this.#limit;
  }

  /** The timeout of the answer, beyond the wait that was asked for. */
  get patienceMilliseconds(): number {
    return this.#patience;
  }

  arrived(items: number): void {
    this.#patience = Math.max(this.#patience / 2, ANSWER_MILLISECONDS);
    // A page that is not full says nothing of larger ones.
    if (items < this.#limit) return;
    this.#limit = Math.min(this.#limit + Math.ceil(this.#limit / 8), MAX_FOLLOW_ITEMS);
  }

  failed(failure: "too-large" | "timeout"): void {
    this.#limit = Math.max(Math.floor(this.#limit / 2), 1);
    if (failure === "timeout") this.#patience = Math.min(this.#patience * 2, MAX_ANSWER_MILLISECONDS);
  }
}
