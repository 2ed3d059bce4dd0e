/**
 * The registry of a process's metrics. The code that something happens in declares its metrics: a value that is there
 * anyway is read when a scraper asks, a counter or a histogram is kept here. Series with labels are bounded; those beyond
 * the bound are counted and not kept (decision 0037).
 */
import type { Timers } from "../host/host.ts";
import { withDeadline } from "../waiting/deadline.ts";
import { ExponentialHistogram, type HistogramSnapshot } from "./exponential-histogram.ts";
import { counter, type HistogramDeclaration, type MetricDeclaration } from "./metric-declaration.ts";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** A number that is counted where it changes. */
export class CountedValue {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly bounds: readonly number[];
  readonly samples: readonly { readonly labels: Labels; readonly value: number | HistogramSnapshot }[];
}

export interface MetricsOptions {
  /** False: histograms have classic buckets in every form. */
  readonly nativeHistograms?: boolean;
  /** Series with labels, all together. */
  readonly maxSeries?: number;
}

type KeptSeries = CountedValue | ExponentialHistogram;
type Reading = number | readonly Sample[];

interface Family extends Omit<MetricFamily, "samples"> {
  readonly sources: { readonly labels: Labels; readonly read: () => Reading | Promise<Reading> }[];
  readonly kept: Map<string, { readonly labels: Labels; readonly kept: KeptSeries }>;
}

/** The metrics of another process. */
interface Included {
  readonly labels: Labels;
  readonly read: () => Promise<readonly MetricFamily[]>;
}

interface SharedSeries {
  readonly families: Map<string, Family>;
  readonly included: Included[];
  readonly nativeHistograms: boolean;
  readonly maxSeries: number;
  series: number;
  dropped: number;
  unread: number;
}

const MAX_SERIES = 40_000;
/** A source that takes longer is left out of the answer. */
const READ_MILLISECONDS = 5000;

export class Metrics {
  readonly #shared: SharedSeries;
  readonly #labels: Labels;
  /** Kept series, by declaration and given labels: to find one anew takes longer than to count. */
  readonly #found = new WeakMap<MetricDeclaration | HistogramDeclaration, Map<string, KeptSeries>>();

  constructor(options: MetricsOptions = {}, labels: Labels = {}, shared?: SharedSeries) {
    const { nativeHistograms = true, maxSeries = MAX_SERIES } = options;
    this.#labels = labels;
    this.#shared = shared ?? {
      ...{ families: new Map(), included: [], nativeHistograms, maxSeries, series: 0, dropped: 0, unread: 0 },
    };
    if (shared === undefined) this.#declareOwn();
  }

  get nativeHistograms(): boolean {
    return this.#shared.nativeHistograms;
  }

  /** The same registry; metrics declared through it have these labels. */
  labelled(labels: Labels): Metrics {
    return new Metrics({}, { ...this.#labels, ...labels }, this.#shared);
  }

  /** A metric may be declared several times, with different labels. */
  declare(declaration: MetricDeclaration, read: () => Reading | Promise<Reading>): void {
    this.#family({ ...declaration, bounds: [] }).sources.push({ labels: this.#labels, read });
  }

  /** Adds the metrics of another process, each with these labels as well. */
  include(read: () => Promise<readonly MetricFamily[]>, labels: Labels): void {
    this.#shared.included.push({ labels: { ...this.#labels, ...labels }, read });
  }

  /** The counter, or the gauge, with these labels. Keep it where it is used often. */
  count(declaration: MetricDeclaration, labels: Labels = {}): CountedValue {
    return this.#find(declaration, labels, CountedValue);
  }

  /** The histogram with these labels. Keep it where it is used often. */
  histogram(declaration: HistogramDeclaration, labels: Labels = {}): ExponentialHistogram {
    return this.#find(declaration, labels, ExponentialHistogram);
  }

  /** Reads everything, in the same turn as far as it is there. */
  async gather(timers: Timers): Promise<readonly MetricFamily[]> {
    const shared = this.#shared;
    const read = [...shared.families.values()].map(async (family): Promise<MetricFamily> => {
      const sources = family.sources.map((source) => readSource(source, shared, timers));
      const kept = [...family.kept.values()].map(({ labels, kept: value }) => ({
        labels,
        value: value instanceof CountedValue ? value.value : value.snapshot(),
      }));
      const { name, help, type, bounds } = family;
      return { name, help, type, bounds, samples: [...(await Promise.all(sources)).flat(), ...kept] };
    });
    const included = shared.included.map((source) => readIncluded(source, shared, timers));
    return this.#cut(mergeFamilies(await Promise.all(read), (await Promise.all(included)).flat()));
  }

  /** Leaves out what read metrics have beyond the bound. */
  #cut(families: readonly MetricFamily[]): readonly MetricFamily[] {
    let room = this.#shared.maxSeries;
    return families
      .map((family) => {
        const samples = family.samples.filter(({ labels }) => Object.keys(labels).length === 0 || room-- > 0);
        this.#shared.dropped += family.samples.length - samples.length;
        return { ...family, samples };
      })
      .filter(({ samples }) => samples.length > 0);
  }

  #family(declaration: Omit<MetricFamily, "samples">): Family {
    const { families } = this.#shared;
    const family = families.get(declaration.name) ?? { ...declaration, sources: [], kept: new Map() };
    families.set(declaration.name, family);
    return family;
  }

  #find<T extends KeptSeries>(
    declaration: MetricDeclaration | HistogramDeclaration,
    given: Labels,
    kind: new () => T,
  ): T {
    const text = textOf(given);
    const found = this.#found.get(declaration) ?? new Map<string, KeptSeries>();
    const known = found.get(text);
    if (known !== undefined) return known as T;
    const kept = this.#keep(declaration, given, kind);
    if (kept === null) return new kind();
    this.#found.set(declaration, found.set(text, kept));
    return kept;
  }

  /** Null if there are too many series. */
  #keep<T extends KeptSeries>(
    declaration: MetricDeclaration | HistogramDeclaration,
    given: Labels,
    kind: new () => T,
  ): T | null {
    const shared = this.#shared;
    const isHistogram = "bounds" in declaration;
    const family = this.#family(
      isHistogram ? { ...declaration, type: "histogram" } : { ...declaration, bounds: [] },
    );
    const labels = { ...this.#labels, ...given };
    const key = JSON.stringify(labels);
    const found = family.kept.get(key)?.kept;
    if (found !== undefined) return found as T;
    if (shared.series >= shared.maxSeries) {
      shared.dropped++;
      return null;
    }
    const kept = new kind();
    shared.series++;
    family.kept.set(key, { labels, kept });
    return kept;
  }

  #declareOwn(): void {
    const shared = this.#shared;
    this.declare(
      counter(
        "callsign_metric_series_dropped_total",
        "Series that were not kept or shown because there are too many.",
      ),
      () => shared.dropped,
    );
    this.declare(
      counter(
        "callsign_metric_reads_failed_total",
        "Metrics that could not be read, or not in time, when a scraper asked.",
      ),
      () => shared.unread,
    );
  }
}

function textOf(labels: Labels): string {
  let text = "";
  for (const name in labels) text += `${name}\u0000${labels[name]}\u0000`;
  return text;
}

async function readSource(
  { labels, read }: Family["sources"][number],
  shared: SharedSeries,
  timers: Timers,
): Promise<readonly { readonly labels: Labels; readonly value: number }[]> {
  try {
    const reading = read();
    const value =
      reading instanceof Promise ? await withDeadline(reading, READ_MILLISECONDS, timers) : reading;
    const samples = typeof value === "number" ? [{ value }] : value;
    return samples.map((sample) => ({ value: sample.value, labels: { ...labels, ...sample.labels } }));
  } catch {
    shared.unread++;
    return [];
  }
}

async function readIncluded(
  { labels, read }: Included,
  shared: SharedSeries,
  timers: Timers,
): Promise<readonly MetricFamily[]> {
  try {
    const families = await withDeadline(read(), READ_MILLISECONDS, timers);
    return families.map((family) => ({
      ...family,
      samples: family.samples.map((sample) => ({ ...sample, labels: { ...sample.labels, ...labels } })),
    }));
  } catch {
    shared.unread++;
    return [];
  }
}

/** All samples of a metric stand together. */
function mergeFamilies(
  own: readonly MetricFamily[],
  others: readonly MetricFamily[],
): readonly MetricFamily[] {
  const merged = new Map(own.map((family) => [family.name, family]));
  for (const family of others) {
    const known = merged.get(family.name);
    merged.set(
      family.name,
      known === undefined ? family : { ...known, samples: [...known.samples, ...family.samples] },
    );
  }
  return [...merged.values()];
}

/** Reads the value once for all metrics that are gathered together. */
export function oncePerTurn<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    if (known === null) {
      known = { value: read() };
      queueMicrotask(() => {
        known = null;
      });
    }
    return known.value;
  };
}
