/**
 * A distribution in exponential buckets, as OpenTelemetry keeps them and Prometheus' native histograms show them: bucket
 * i holds the values in (base^(i − 1), base^i], where base is 2^(2^−scale). It begins at the finest scale that Prometheus
 * has, and halves it whenever the values would need more than 160 buckets. Recording allocates nothing, but for the few
 * times that a new bucket is needed.
 */

/** The finest scale of Prometheus' native histograms: a bucket is 0.27 % wide. */
const FINEST_SCALE = 8;
export const MAX_BUCKETS = 160;
/** Values up to it count as zero. It is the customary threshold of Prometheus' clients. */
export const ZERO_THRESHOLD = 2 ** -128;

export interface HistogramSnapshot {
  readonly count: number;
  readonly sum: number;
  readonly zeros: number;
  readonly scale: number;
  /** The index of the first bucket. */
  readonly first: number;
  readonly counts: readonly number[];
}

export class ExponentialHistogram {
  #count = 0;
  #sum = 0;
  #zeros = 0;
  #scale = FINEST_SCALE;
  #factor = 2 ** FINEST_SCALE;
  #first = 0;
  #counts: number[] = [];

  /** Negative values count as zero. */
  record(value: number): void {
    this.#count++;
    // False for NaN as well.
    if (!(value > ZERO_THRESHOLD)) {
      this.#zeros++;
      return;
    }
    this.#sum += value;
    const counts = this.#counts;
    const place = Math.ceil(Math.log2(value) * this.#factor) - this.#first;
    if (place >= 0 && place < counts.length) counts[place] = (counts[place] as number) + 1;
    else this.#widen(value);
  }

  snapshot(): HistogramSnapshot {
    return {
      count: this.#count,
      sum: this.#sum,
      zeros: this.#zeros,
      scale: this.#scale,
      first: this.#first,
      counts: [...this.#counts],
    };
  }

  /** Counts a value outside the present buckets. */
  #widen(value: number): void {
    const exponent = Math.min(Math.log2(value), 1024);
    let index = Math.ceil(exponent * this.#factor);
    if (this.#counts.length === 0) this.#first = index;
    while (this.#span(index) > MAX_BUCKETS) {
      this.#halveScale();
      index = Math.ceil(exponent * this.#factor);
    }
    while (index < this.#first) {
      this.#counts.unshift(0);
      this.#first--;
    }
    while (index >= this.#first + this.#counts.length) this.#counts.push(0);
    const place = index - this.#first;
    this.#counts[place] = (this.#counts[place] as number) + 1;
  }

  /** The number of buckets with that one among them. */
  #span(index: number): number {
    const last = this.#first + this.#counts.length - 1;
    return Math.max(last, index) - Math.min(this.#first, index) + 1;
  }

  /** Joins the buckets 2j − 1 and 2j. */
  #halveScale(): void {
    // The sum with 0 turns −0 into 0.
    const first = Math.ceil(this.#first / 2) + 0;
    const joined: number[] = [];
    for (const [place, count] of this.#counts.entries()) {
      const to = Math.ceil((this.#first + place) / 2) - first;
      joined[to] = (joined[to] ?? 0) + count;
    }
    this.#scale--;
    this.#factor /= 2;
    this.#first = first;
    this.#counts = joined;
  }
}

/** The number of values up to the bound, of the buckets that lie below it whole. Exact for powers of two. */
export function countUpTo({ zeros, scale, first, counts }: HistogramSnapshot, bound: number): number {
  const last = Math.floor(Math.log2(bound) * 2 ** scale);
  let total = zeros;
  for (let place = 0; place < counts.length && first + place <= last; place++) total += counts[place] ?? 0;
  return total;
}
