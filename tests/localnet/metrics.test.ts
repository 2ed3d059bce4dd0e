// The metrics of a whole network and of an operator's nodes: as the documents list them, and as Prometheus reads them.

import { afterAll, beforeAll, expect, test } from "vitest";
import { startMetricsServer } from "../../packages/node/src/monitoring/metrics-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { fillInVariables, readDashboards } from "../deploy/monitoring-files.ts";
import { read } from "../repository/configuration-page.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { newParticipant } from "../support/participants.ts";
import { needPackage } from "../support/postgres.ts";
import { Prometheus, type ScrapedNode } from "../support/prometheus.ts";
import { DASHBOARD_EXPRESSIONS } from "./dashboard-expressions.ts";

const atEnd = atEndOfFile();
const TEN_MINUTES = 600_000_000n;

let world: LocalNetwork;
let nodes: readonly ScrapedNode[];

beforeAll(async () => {
  world = await LocalNetwork.start();
  const { net } = world;
  const native = new Metrics();
  await world.startValidator(["someone"], "operator", {
    topup: { targetThroughput: 20_000, minTopupIntervalSeconds: 600 },
    topologyMetricsSeconds: 1,
    callRates: { perAddress: { perSecond: 1000, burst: 1000 } },
    metrics: native.labelled({ node_name: "validator_backend" }),
  });
  const classic = new Metrics({ nativeHistograms: false });
  const sequencers = net.svs.map(({ sequencerUrl }) => sequencerUrl);
  await newParticipant(sequencers, { nodeIdentifier: "operator", metrics: classic }, atEnd);
  const serve = async (metrics: Metrics, service: string): Promise<ScrapedNode> => {
    const port = { host: "127.0.0.1", port: 0 };
    const server = await startMetricsServer(port, metrics, { system: systemHost, log: silentLog });
    atEnd(() => server.close());
    return { url: `${server.url}/metrics`, labels: { namespace: "validator-1", service } };
  };
  nodes = [
    { url: net.metricsUrl, labels: { namespace: "sv-1", service: "network" } },
    await serve(native, "validator-app"),
    await serve(classic, "participant"),
  ];
});
afterAll(() => world?.close());

/** Calls, transactions and a new round. */
async function makeWork(): Promise<void> {
  await world.tap("app-user", "1");
  await world.owner("nobody.unverified.ans");
  await world.net.moveClock(TEN_MINUTES);
}

interface ListedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** Labels that name the node, and the bound of a bucket. */
const OF_EVERY_NODE = ["node_type", "node_name", "component", "node", "le"];

function parseDocument(text: string): readonly ListedMetric[] {
  return [...text.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| (.*?) \| (.*) \|$/gm)].map(
    ([, name = "", type = "", labels = "", help = ""]) => ({
      ...{ name, type, help },
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
    }),
  );
}

async function readMetrics(): Promise<ReadonlyMap<string, ListedMetric>> {
  const metrics = new Map<string, ListedMetric>();
  for (const { url } of nodes) {
    for (const family of (await (await fetch(url)).text()).split(/^(?=# HELP )/m)) {
      const [, name = "", help = ""] = /^# HELP (\w+) (.*)$/m.exec(family) ?? [];
      const type = /^# TYPE \w+ (\w+)$/m.exec(family)?.[1] ?? "";
      const labels = [...family.matchAll(/[{,](\w+)="/g)].map(([, label = ""]) => label);
      const known = metrics.get(name)?.labels ?? [];
      metrics.set(name, { name, type, help, labels: [...new Set([...known, ...labels])] });
    }
  }
  return metrics;
}

test("the documents list every metric of a network and of an operator's nodes, with type, labels and meaning", async () => {
  const [always = "", sometimes = ""] = read("docs/metrics.md").split("## Only with a setting");
  const [alwaysListed, sometimesListed] = [parseDocument(always), parseDocument(sometimes)];
  expect(sometimesListed.length).toBeGreaterThan(3);
  await makeWork();
  let missing: readonly string[] = [];
  const findMissing = async () => {
    const names = new Set((await readMetrics()).keys());
    missing = alwaysListed.map(({ name }) => name).filter((name) => !names.has(name));
    return missing.length === 0;
  };
  await until(findMissing, "every listed metric is there", 20_000).catch(() => undefined);
  expect(missing).toEqual([]);
  const listed = new Map([...alwaysListed, ...sometimesListed].map((metric) => [metric.name, metric]));
  for (const { name, type, help, labels } of (await readMetrics()).values()) {
    const row = listed.get(name);
    expect([name, row?.type, row?.help]).toEqual([name, type, help]);
    const documented = [...(row?.labels ?? []), ...OF_EVERY_NODE];
    expect([name, labels.filter((label) => !documented.includes(label))]).toEqual([name, []]);
  }
});

test("the stores of SVs, participants and validators count what they take in", async () => {
  await makeWork();
  const text = await (await fetch(world.net.metricsUrl)).text();
  const counted = text.matchAll(/^splice_store_completed_ingestions\{.*store_name="(\w+)".*\} [1-9]/gm);
  const stores = new Set([...counted].map(([, store]) => store));
  expect([...stores].toSorted()).toEqual(["participant", "replica", "wallet"]);
});

/** Of these expressions, those without a number. */
async function listUnanswered(
  prometheus: Prometheus,
  expressions: readonly string[],
): Promise<readonly string[]> {
  const answers = await Promise.all(
    expressions.map(async (expression) => {
      const results = await prometheus.query(expression);
      return results.some(({ value }) => Number.isFinite(value)) ? [] : [expression];
    }),
  );
  return answers.flat();
}

const CLASSIC_EXPRESSIONS = [
  `histogram_quantile(0.95, sum by (le) (rate(daml_http_requests_duration_seconds_bucket{http_service="scan"}[30s])))`,
  "histogram_quantile(0.95, sum by (le, trigger_type) (rate(splice_trigger_latency_duration_seconds_bucket[30s])))",
  "sum by (store_name) (rate(splice_store_ingestion_batch_size_sum[30s])) / sum by (store_name) (rate(splice_store_ingestion_batch_size_count[30s]))",
  `sum(rate(splice_trigger_completed_total{outcome="success"}[30s])) > 0`,
  "splice_wallet_unlocked_amulet_balance > 0",
];

/** Of our own dashboards, without those about PostgreSQL: these nodes have SQLite. */
const OUR_EXPRESSIONS = readDashboards()
  .flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
  .filter((expr) => !expr.includes("db_client_connections"))
  .map((expr) => fillInVariables(expr, "30s"));

test("Prometheus reads native histograms and classic ones, and answers the expressions of Splice's dashboards and of ours", async (context) => {
  await needPackage("prometheus", context);
  const [native, classic] = await Promise.all(
    [true, false].map((hasNativeHistograms) => Prometheus.start({ nodes, hasNativeHistograms }, atEnd)),
  );
  if (native === undefined || classic === undefined) throw new Error("a server is missing");
  let expressions: readonly string[] = [...Object.values(DASHBOARD_EXPRESSIONS).flat(), ...OUR_EXPRESSIONS];
  let classicOnes: readonly string[] = [...CLASSIC_EXPRESSIONS, ...OUR_EXPRESSIONS];
  expect(new Set(expressions).size).toBeGreaterThanOrEqual(60);
  const end = AbortSignal.timeout(90_000);
  while (expressions.length + classicOnes.length > 0 && !end.aborted) {
    await makeWork();
    expressions = await listUnanswered(native, expressions);
    classicOnes = await listUnanswered(classic, classicOnes);
  }
  expect([expressions, classicOnes]).toEqual([[], []]);
  // A busy machine may be late for one scrape.
  for (const server of [native, classic])
    await until(
      async () => (await server.scrapeErrors()).length === 0,
      "every node is scraped without an error",
    );
  // A native histogram is one series and has no buckets. One of the nodes has switched it off.
  const buckets = (service: string) =>
    native.query(`count({__name__=~"daml_db_.*_bucket", service="${service}"})`);
  expect(await buckets("network")).toEqual([]);
  expect((await buckets("participant"))[0]?.value).toBeGreaterThan(0);
  const [difference] = await classic.query(
    `sum(daml_db_query_duration_seconds_count) - sum(daml_db_query_duration_seconds_bucket{le="+Inf"})`,
  );
  expect(difference?.value).toBe(0);
}, 150_000);
