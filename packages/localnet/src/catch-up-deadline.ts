/**
 * The end of the wait for a network that starts. It moves on while replicas catch up with the log as they found it, since a
 * rebuild from a long log takes its time. Later entries are no progress: a part that never becomes ready may send them itself.
 */
import type { Clock } from "@callsign/node";

export class CatchUpDeadline {
  readonly #logEnd: number;
  readonly #milliseconds: number;
  readonly #clock: Clock;
  #applied = -1;
  #endsAt = 0;

  /** `logEnd` is the log's last entry at the start. */
  constructor(logEnd: number, milliseconds: number, clock: Clock) {
    this.#logEnd = logEnd;
    this.#milliseconds = milliseconds;
    this.#clock = clock;
  }

  /** Takes the last entry that each replica has applied. */
  isPast(replicas: readonly number[]): boolean {
    const now = this.#clock.elapsedMilliseconds();
    const applied = replicas.reduce((sum, sequence) => sum + Math.min(sequence, this.#logEnd), 0);
    if (applied > this.#applied) {
      this.#applied = applied;
      this.#endsAt = now + this.#milliseconds;
    }
    return now >= this.#endsAt;
  }
}
