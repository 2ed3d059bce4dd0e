/**
 * The rates of calls on one port: a bucket for each address, and for each user. A caller that has been quiet for as long as a
 * bucket takes to fill is forgotten, which changes nothing for it. Where too many callers are remembered, all new ones share
 * one bucket: nobody gets a new bucket by calling from very many addresses. A `BoundedMap` would forget the oldest caller
 * instead.
 */
import type { Clock } from "../host/host.ts";
import { TokenBucket } from "../waiting/token-bucket.ts";
import { MAX_COUNTED_CALLERS } from "./limits.ts";
import type { CallRate, CallRates } from "./listening.ts";

/** To count a call answers the whole seconds after which it may be tried again; null if it may pass. */
export interface CallerRates {
  /** True if a call of the address would be refused now. Counts nothing: for a call that is counted where it is refused. */
  readonly isSpent: (address: string) => boolean;
  /** The same for a call of the user. */
  readonly isUserSpent: (user: string) => boolean;
  readonly countAddress: (address: string) => number | null;
  readonly countUser: (user: string | null) => number | null;
}

const unlimited = () => null;

export function createCallerRates({ perAddress, perUser }: CallRates, clock: Clock): CallerRates {
  const byAddress = perAddress === undefined ? null : new CallerBuckets(perAddress, clock);
  const byUser = perUser === undefined ? null : new CallerBuckets(perUser, clock);
  return {
    isSpent: (address) => byAddress?.isSpent(address) ?? false,
    isUserSpent: (user) => byUser?.isSpent(user) ?? false,
    countAddress: byAddress === null ? unlimited : (address) => byAddress.count(address),
    countUser: byUser === null ? unlimited : (user) => (user === null ? null : byUser.count(user)),
  };
}

/** Exported for its test. */
export class CallerBuckets {
  readonly #rate: CallRate;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #fillMilliseconds: number;
  /** Callers of this period, and of the one before that have not called in this one. A period fills any bucket. */
  #recent = new Map<string, TokenBucket>();
  #earlier = new Map<string, TokenBucket>();
  #periodBegan: number;
  readonly #others: TokenBucket;

  constructor(rate: CallRate, clock: Clock, limit = MAX_COUNTED_CALLERS) {
    const { perSecond, burst } = rate;
    if (!(perSecond > 0) || !(burst >= 1))
      throw new RangeError(
        `a rate of calls needs perSecond above 0 and a burst of at least 1: ${perSecond}, ${burst}`,
      );
    this.#rate = rate;
    this.#clock = clock;
    this.#limit = limit;
    this.#fillMilliseconds = (burst / perSecond) * 1000;
    this.#periodBegan = clock.elapsedMilliseconds();
    this.#others = this.#newBucket();
  }

  /** The number of callers that are remembered. */
  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }

  count(caller: string): number | null {
    this.#forget();
    const bucket = this.#bucketOf(caller);
    return bucket.take() ? null : Math.max(Math.ceil(bucket.secondsUntilNext()), 1);
  }

  isSpent(caller: string): boolean {
    this.#forget();
    return this.#bucketOf(caller).isEmpty();
  }

  #bucketOf(caller: string): TokenBucket {
    const recent = this.#recent.get(caller);
    if (recent !== undefined) return recent;
    const earlier = this.#earlier.get(caller);
    if (earlier === undefined && this.size >= this.#limit) return this.#others;
    const bucket = earlier ?? this.#newBucket();
    this.#earlier.delete(caller);
    this.#recent.set(caller, bucket);
    return bucket;
  }

  #forget(): void {
    const now = this.#clock.elapsedMilliseconds();
    const periods = (now - this.#periodBegan) / this.#fillMilliseconds;
    if (periods < 1) return;
    this.#earlier = periods < 2 ? this.#recent : new Map();
    this.#recent = new Map();
    this.#periodBegan = now;
  }

  #newBucket(): TokenBucket {
    const { perSecond, burst: capacity } = this.#rate;
    return new TokenBucket({ capacity, perSecond, elapsedMilliseconds: this.#clock.elapsedMilliseconds });
  }
}
