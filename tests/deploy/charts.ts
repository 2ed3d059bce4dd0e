/** The helm charts in deploy/helm, rendered by render-chart.go. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { mergeTrees } from "../support/merge-trees.ts";

const HELM = join(import.meta.dirname, "../../deploy/helm");

export type ChartName = "callsign-participant" | "callsign-validator" | "callsign-postgres";
export const CHARTS: readonly ChartName[] = [
  "callsign-participant",
  "callsign-validator",
  "callsign-postgres",
];

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

export function readChart(chart: ChartName): { readonly version: string; readonly appVersion: string } {
  return parse(readFileSync(join(HELM, chart, "Chart.yaml"), "utf8")) as never;
}

/** Builds the renderer once, and answers a function that gives a chart's resources by kind. */
export function buildRenderer(atEnd: AtEnd) {
  const folder = temporaryFolder(atEnd);
  const program = join(folder, "render-chart");
  const built = spawnSync("go", ["build", "-o", program, join(import.meta.dirname, "render-chart.go")], {
    encoding: "utf8",
    env: { ...process.env, GO111MODULE: "off", GOCACHE: join(folder, "cache"), CGO_ENABLED: "0" },
  });
  if (built.status !== 0) throw new Error(built.stderr);
  return (chart: ChartName, values: object, release = "acme"): ReadonlyMap<string, Resource> => {
    const templates = join(HELM, chart, "templates");
    const input = {
      release,
      appVersion: readChart(chart).appVersion,
      values: mergeTrees(parse(readFileSync(join(HELM, chart, "values.yaml"), "utf8")), values),
      templates: Object.fromEntries(
        readdirSync(templates).map((name) => [name, readFileSync(join(templates, name), "utf8")]),
      ),
    };
    const run = spawnSync(program, { encoding: "utf8", input: JSON.stringify(input) });
    if (run.status !== 0) throw new Error(run.stderr);
    const rendered = Object.values(JSON.parse(run.stdout) as Record<string, string>);
    const resources = rendered.map((text) => parse(text) as Resource | null).filter((each) => each !== null);
    return new Map(resources.map((resource) => [resource.kind, resource]));
  };
}
