/** Grafana's dashboards and Prometheus' alert rules in deploy/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const DEPLOY = join(import.meta.dirname, "../../deploy");
export const ALERTS_FILE = join(DEPLOY, "prometheus/alerts.yaml");

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

export function readAlerts(): readonly Alert[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, "utf8")) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

export function readDashboards(): readonly Dashboard[] {
  const folder = join(DEPLOY, "grafana");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((file) => ({
      file,
      ...(JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<Dashboard, "file">),
    }));
}

/** An expression as Grafana sends it, for all processes. */
export function fillInVariables(expr: string, rateInterval: string): string {
  return expr.replaceAll("$__rate_interval", rateInterval).replaceAll("$instance", ".*");
}
