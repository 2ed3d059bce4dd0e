// Dashboards and alert rules: their expressions are read by Prometheus' own tool, and name metrics that exist.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { read } from "../repository/configuration-page.ts";
import { needPackage } from "../support/postgres.ts";
import { ALERTS_FILE, fillInVariables, readAlerts, readDashboards } from "./monitoring-files.ts";

const atEnd = atEndOfFile();

function promtool(...args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

const dashboards = readDashboards();
const expressions = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => fillInVariables(expr, "1m"))),
);

test("Prometheus can read every expression of the dashboards, and finds a mistake", async (context) => {
  await needPackage("prometheus", context);
  const file = join(temporaryFolder(atEnd), "rules.yaml");
  const check = (exprs: readonly string[]) => {
    const rules = exprs.map((expr, i) => ({ record: `panel:${i}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: "panels", rules }] }));
    return promtool("check", "rules", file);
  };
  expect(expressions.length).toBeGreaterThan(50);
  expect(check(expressions)).toMatchObject({ ok: true });
  expect(check([...expressions, "sum by (a (rate(b[1m]))"])).toMatchObject({ ok: false });
});

test("every alert fires for a node in trouble, and none for a healthy one", async (context) => {
  await needPackage("prometheus", context);
  expect(promtool("check", "rules", ALERTS_FILE)).toMatchObject({ ok: true });
  const cases = parse(readFileSync(join(import.meta.dirname, "alert-cases.yaml"), "utf8")) as {
    tests: { promql_expr_test: { exp_samples: unknown[] }[] }[];
  };
  const names = readAlerts().map(({ alert }) => alert);
  const expected = cases.tests[0]?.promql_expr_test[0]?.exp_samples;
  expected?.push(...names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })));
  const file = join(temporaryFolder(atEnd), "cases.yaml");
  writeFileSync(file, stringify({ ...cases, rule_files: [ALERTS_FILE] }));
  expect(promtool("test", "rules", file)).toMatchObject({ ok: true });
});

/** The names of metrics in an expression: words that are no function, no label and no text. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(by|on|without|ignoring) \([^)]*\)/g, "");
  const functions = /^(histogram_(quantile|count|sum)|label_values)$/;
  return [...bare.matchAll(/[a-zA-Z_]\w*/g)]
    .map(([word]) => word)
    .filter((word) => word.includes("_") && !functions.test(word));
}

test("dashboards and alerts name metrics that docs/metrics.md lists", () => {
  const listed = new Map(
    [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \|/gm)].map(
      ([, name = "", type = ""]) => [name, type],
    ),
  );
  const isKnown = (name: string) =>
    listed.has(name) || listed.get(name.replace(/_(bucket|count|sum)$/, "")) === "histogram";
  expect(isKnown("daml_health_status_count")).toBe(false);
  const named = [...expressions, ...readAlerts().map(({ expr }) => expr)].flatMap(metricsIn);
  expect(new Set(named).size).toBeGreaterThan(50);
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

test("dashboards have ids of their own, and every panel a title, a place and a legend", () => {
  expect(dashboards.map(({ file }) => file).sort()).toEqual(
    ["automations", "network", "participant", "store", "validator"].map((name) => `${name}.json`),
  );
  for (const { file, uid, panels } of dashboards) {
    expect(uid).toBe(`callsign-${file.replace(".json", "")}`);
    const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
    expect([new Set(places).size, new Set(panels.map(({ id }) => id)).size]).toEqual([
      panels.length,
      panels.length,
    ]);
    for (const { title, targets } of panels)
      expect([
        title !== "",
        targets.length > 0,
        targets.every(({ legendFormat }) => legendFormat !== ""),
      ]).toEqual([true, true, true]);
  }
});

test("every alert has a severity, a sentence and a section in the operator's book, and no section is left over", () => {
  const alerts = readAlerts();
  const book = read("docs/operating.md").split("## When an alert fires")[1]?.split(/^## /m)[0] ?? "";
  const sections = [...book.matchAll(/^### (Callsign\w+)$/gm)].map(([, name]) => name);
  expect(sections.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of alerts) {
    expect(["critical", "warning", "info"]).toContain(labels.severity);
    expect(annotations.runbook_url).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    expect(annotations.summary).not.toBe("");
  }
});
