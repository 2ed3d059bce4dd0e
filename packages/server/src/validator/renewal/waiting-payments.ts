/**
 * Payments that failed, and when each is tried again: when coin arrives for its owner, or after a pause that doubles
 * up to a bound. Times are of the process's own clock, since a pause is not the network's business.
 */
const FIRST_PAUSE = 5000;
/** What failed for another reason than coin often succeeds a moment later. */
const FIRST_SHORT_PAUSE = 250;
const LONGEST_PAUSE = 10 * 60_000;

interface Waiting {
  readonly owner: string;
  readonly until: number;
  readonly pause: number;
  readonly forCoin: boolean;
}

export class WaitingPayments {
  readonly #waiting = new Map<string, Waiting>();

  /** Whether that payment may be tried at that time. */
  isDue(payment: string, now: number): boolean {
    const waiting = this.#waiting.get(payment);
    return waiting === undefined || waiting.until <= now;
  }

  failed(payment: string, { owner, now, forCoin }: { owner: string; now: number; forCoin: boolean }): void {
    const before = this.#waiting.get(payment);
    const first = forCoin ? FIRST_PAUSE : FIRST_SHORT_PAUSE;
    const pause = before?.forCoin === forCoin ? Math.min(2 * before.pause, LONGEST_PAUSE) : first;
    this.#waiting.set(payment, { owner, until: now + pause, pause, forCoin });
  }

  /** What lacked coin of theirs is due again. */
  coinArrived(owners: ReadonlySet<string>): void {
    for (const [payment, waiting] of this.#waiting) {
      if (waiting.forCoin && owners.has(waiting.owner)) this.#waiting.set(payment, { ...waiting, until: 0 });
    }
  }

  /** Forgets all but these. */
  keepOnly(payments: ReadonlySet<string>): void {
    for (const payment of this.#waiting.keys()) if (!payments.has(payment)) this.#waiting.delete(payment);
  }

  /** When the next one is due, if one waits. */
  nextDue(): number | undefined {
    let next: number | undefined;
    for (const { until } of this.#waiting.values()) if (next === undefined || until < next) next = until;
    return next;
  }
}
