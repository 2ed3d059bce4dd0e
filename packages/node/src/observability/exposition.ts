/** The form of the metrics that a scraper asks for: the best one that it names in `Accept`. */
import type { Timers } from "../host/host.ts";
import type { Metrics } from "./metrics.ts";
import { formatOpenMetrics, formatText, OPENMETRICS_TYPE, TEXT_TYPE } from "./text-exposition.ts";

export interface Exposition {
  readonly contentType: string;
  readonly body: Uint8Array;
}

const PROTOBUF_TYPE =
  "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";

type Form = "protobuf" | "openmetrics" | "text";

export async function exposeMetrics(
  metrics: Metrics,
  accept: string | undefined,
  timers: Timers,
): Promise<Exposition> {
  const families = await metrics.gather(timers);
  switch (chooseForm(accept ?? "")) {
    case "protobuf": {
      const { encodeFamilies } = await import("./protobuf-exposition.ts");
      return { contentType: PROTOBUF_TYPE, body: encodeFamilies(families, metrics) };
    }
    case "openmetrics":
      return { contentType: OPENMETRICS_TYPE, body: Buffer.from(formatOpenMetrics(families)) };
    case "text":
      return { contentType: TEXT_TYPE, body: Buffer.from(formatText(families)) };
  }
}

/** The form of the highest quality; of equal ones the first. A scraper that names no known form gets plain text. */
export function chooseForm(accept: string): Form {
  const asked = accept.split(",").flatMap((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const form = formOf(type, parameters);
    const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
    return form === null || !(quality > 0) ? [] : [{ form, quality }];
  });
  return asked.sort((a, b) => b.quality - a.quality)[0]?.form ?? "text";
}

function formOf(type: string, parameters: readonly string[]): Form | null {
  const has = (name: string, value: string) =>
    parameters.every((part) => !part.startsWith(`${name}=`) || part === `${name}=${value}`);
  if (type === "application/vnd.google.protobuf") {
    const isDelimited = parameters.includes("encoding=delimited");
    return isDelimited && has("proto", "io.prometheus.client.metricfamily") ? "protobuf" : null;
  }
  if (type === "application/openmetrics-text") return has("version", "1.0.0") ? "openmetrics" : null;
  return type === "text/plain" || type === "text/*" ? "text" : null;
}
