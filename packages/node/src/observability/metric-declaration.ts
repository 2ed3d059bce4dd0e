/** The declaration of a metric: its name, the help that scrapers show, and its type or its buckets. */
export interface MetricDeclaration {
  /** Ends in its unit, a counter's in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
}

export interface HistogramDeclaration {
  /** Ends in its unit. */
  readonly name: string;
  readonly help: string;
  /** Upper bounds of classic buckets, in order. Powers of two, because these are exact. */
  readonly bounds: readonly number[];
}

/** Bounds from 0.12 ms to 64 s. */
export const SECONDS = powersOfTwo(-13, 6);
/** Bounds from 1 to 16,384. */
export const AMOUNTS = powersOfTwo(0, 14);

export function counter(name: string, help: string): MetricDeclaration {
  return { name, help, type: "counter" };
}

export function gauge(name: string, help: string): MetricDeclaration {
  return { name, help, type: "gauge" };
}

export function histogram(name: string, help: string, bounds: readonly number[]): HistogramDeclaration {
  return { name, help, bounds };
}

function powersOfTwo(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => 2 ** (first + place));
}
