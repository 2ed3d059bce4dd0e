/**
 * Metrics in the text form that Prometheus reads. The code that something happens in declares its metrics; a server
 * reads their values when it is asked.
 */
export interface MetricDeclaration {
  /** Ends in its unit, a counter's in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
}

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

type Labels = Readonly<Record<string, string>>;

interface DeclaredMetric extends MetricDeclaration {
  readonly sources: (() => readonly Sample[])[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export class Metrics {
  readonly #metrics: Map<string, DeclaredMetric>;
  readonly #labels: Labels;

  constructor(labels: Labels = {}, metrics = new Map<string, DeclaredMetric>()) {
    this.#metrics = metrics;
    this.#labels = labels;
  }

  /** The same registry; metrics declared through it have these labels. */
  labelled(labels: Labels): Metrics {
    return new Metrics({ ...this.#labels, ...labels }, this.#metrics);
  }

  /** A metric may be declared several times, with different labels. */
  declare(declaration: MetricDeclaration, read: () => number | readonly Sample[]): void {
    const { name } = declaration;
    const metric = this.#metrics.get(name) ?? { ...declaration, sources: [] };
    this.#metrics.set(name, metric);
    metric.sources.push(() => {
      const value = read();
      const samples = typeof value === "number" ? [{ value }] : value;
      return samples.map((sample) => ({ ...sample, labels: { ...this.#labels, ...sample.labels } }));
    });
  }

  format(): string {
    return [...this.#metrics.values()]
      .flatMap(({ name, help, type, sources }) => [
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
        `# TYPE ${name} ${type}`,
        ...sources.flatMap((read) =>
          read().map(({ labels = {}, value }) => `${name}${formatLabels(labels)} ${value}`),
        ),
      ])
      .map((line) => `${line}\n`)
      .join("");
  }
}

/** Reads the value once for all metrics that are formatted together. */
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

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
