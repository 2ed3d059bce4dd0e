/** Metrics as text: Prometheus' form 0.0.4, or OpenMetrics 1.0. Text has no native histograms: buckets are classic. */
import { countUpTo, type HistogramSnapshot } from "./exponential-histogram.ts";
import type { Labels, MetricFamily } from "./metrics.ts";

export const TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
export const OPENMETRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export function formatText(families: readonly MetricFamily[]): string {
  return families.map((family) => formatFamily(family, family.name)).join("");
}

/** OpenMetrics names a counter without the suffix of its samples. */
export function formatOpenMetrics(families: readonly MetricFamily[]): string {
  const texts = families.map((family) =>
    formatFamily(family, family.type === "counter" ? family.name.replace(/_total$/, "") : family.name),
  );
  return `${texts.join("")}# EOF\n`;
}

function formatFamily({ name, help, type, bounds, samples }: MetricFamily, title: string): string {
  const lines = [`# HELP ${title} ${escapeText(help)}`, `# TYPE ${title} ${type}`];
  for (const { labels, value } of samples) {
    if (typeof value === "number") lines.push(`${name}${formatLabels(labels)} ${formatNumber(value)}`);
    else lines.push(...formatHistogram(name, labels, value, bounds));
  }
  return `${lines.join("\n")}\n`;
}

function formatHistogram(
  name: string,
  labels: Labels,
  histogram: HistogramSnapshot,
  bounds: readonly number[],
): readonly string[] {
  const bucket = (le: string, count: number) => `${name}_bucket${formatLabels({ ...labels, le })} ${count}`;
  return [
    ...bounds.map((bound) => bucket(formatBound(bound), countUpTo(histogram, bound))),
    bucket("+Inf", histogram.count),
    `${name}_sum${formatLabels(labels)} ${formatNumber(histogram.sum)}`,
    `${name}_count${formatLabels(labels)} ${histogram.count}`,
  ];
}

/** Bounds are floating-point numbers in both forms, as `1.0`. */
function formatBound(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

function formatNumber(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeLabel(value: string): string {
  return escapeText(value).replaceAll('"', '\\"');
}
