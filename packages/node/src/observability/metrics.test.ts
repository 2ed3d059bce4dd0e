import { expect, test } from "vitest";
import { decodeFamilies } from "../../testing/decode-metrics.ts";
import { systemHost } from "../system-host.ts";
import { chooseForm, exposeMetrics } from "./exposition.ts";
import { Metrics, type MetricsOptions } from "./metrics.ts";

const TASKS = { name: "tasks_total", help: "Tasks done.", type: "counter" } as const;
const TIME = { name: "task_seconds", help: "Time of a task.", bounds: [0.5, 1, 2] };

const PROTOBUF = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
const OPENMETRICS = "application/openmetrics-text;version=1.0.0";

async function read(metrics: Metrics, accept?: string): Promise<readonly string[]> {
  const { body } = await exposeMetrics(metrics, accept, systemHost.timers);
  // The registry's own two metrics stand first: six lines.
  return Buffer.from(body).toString().split("\n").slice(6);
}

async function decode(metrics: Metrics) {
  const { body, contentType } = await exposeMetrics(metrics, PROTOBUF, systemHost.timers);
  expect(contentType).toMatch(/^application\/vnd\.google\.protobuf;/);
  return new Map(decodeFamilies(body).map((family) => [family.name, family]));
}

function timed(values: readonly number[], options?: MetricsOptions): Metrics {
  const metrics = new Metrics(options);
  for (const value of values) metrics.histogram(TIME, { task: "x" }).record(value);
  return metrics;
}

test("samples of one metric stand together, with the labels of each registry they were declared through", async () => {
  const metrics = new Metrics();
  let done = 1;
  metrics.labelled({ node: "a" }).declare(TASKS, () => done);
  metrics.declare({ name: "memory_bytes", help: "Memory.", type: "gauge" }, async () => 7);
  metrics.labelled({ node: 'b"\\\n' }).declare(TASKS, () => [
    { value: 2, labels: { task: "x" } },
    { value: Number.POSITIVE_INFINITY, labels: { task: "y" } },
  ]);
  metrics.count(TASKS).add(4);
  metrics.count(TASKS).add();
  done = 5;
  const samples = [
    'tasks_total{node="a"} 5',
    'tasks_total{node="b\\"\\\\\\n",task="x"} 2',
    'tasks_total{node="b\\"\\\\\\n",task="y"} +Inf',
    "tasks_total 5",
  ];
  const memory = ["# HELP memory_bytes Memory.", "# TYPE memory_bytes gauge", "memory_bytes 7"];
  const head = (name: string) => [`# HELP ${name} Tasks done.`, `# TYPE ${name} counter`];
  expect(await read(metrics)).toEqual([...head("tasks_total"), ...samples, ...memory, ""]);
  expect(await read(metrics, OPENMETRICS)).toEqual([...head("tasks"), ...samples, ...memory, "# EOF", ""]);
});

test("a histogram has classic buckets in text", async () => {
  expect(await read(timed([0, 0.3, 0.5, 0.6, 2, 100]))).toEqual([
    "# HELP task_seconds Time of a task.",
    "# TYPE task_seconds histogram",
    'task_seconds_bucket{task="x",le="0.5"} 3',
    'task_seconds_bucket{task="x",le="1.0"} 4',
    'task_seconds_bucket{task="x",le="2.0"} 5',
    'task_seconds_bucket{task="x",le="+Inf"} 6',
    'task_seconds_sum{task="x"} 103.4',
    'task_seconds_count{task="x"} 6',
    "",
  ]);
});

test("a histogram is native in protobuf, with its gaps and its zeros", async () => {
  const metrics = timed([0, 1, 1, 2, 4, 4, 4, 2 ** 200]);
  metrics.declare(TASKS, () => 3);
  const families = await decode(metrics);
  expect(families.get("tasks_total")).toMatchObject({ type: 0, metrics: [{ labels: {}, value: 3 }] });
  const family = families.get("task_seconds");
  expect(family).toMatchObject({ type: 4, help: "Time of a task.", metrics: [{ labels: { task: "x" } }] });
  // From 2^0 to 2^200 in 160 buckets: a bucket spans 2^2.
  expect(family?.metrics[0]?.value).toMatchObject({
    ...{ count: 8, sum: 17 + 2 ** 200, schema: -1, zeroCount: 1, zeroThreshold: 2 ** -128, spans: 2 },
    native: new Map([
      [0, 2],
      [1, 4],
      [100, 1],
    ]),
    classic: new Map(),
  });
});

test("a histogram without values is still a native one", async () => {
  const metrics = new Metrics();
  metrics.histogram(TIME);
  const value = (await decode(metrics)).get("task_seconds")?.metrics[0]?.value;
  expect(value).toMatchObject({ count: 0, zeroThreshold: 2 ** -128, spans: 1, native: new Map() });
});

test("with native histograms switched off, buckets are classic in protobuf too", async () => {
  const family = (await decode(timed([0.3, 1.5, 3], { nativeHistograms: false }))).get("task_seconds");
  expect(family?.metrics[0]?.value).toMatchObject({
    ...{ count: 3, native: new Map(), spans: 0, zeroThreshold: 0 },
    classic: new Map([
      [0.5, 1],
      [1, 1],
      [2, 2],
      [Number.POSITIVE_INFINITY, 3],
    ]),
  });
});

test("the scraper's best known form is taken, by quality and then by order", () => {
  for (const [accept, form] of [
    ["", "text"],
    ["*/*", "text"],
    [`${PROTOBUF},${OPENMETRICS};q=0.8,text/plain;version=0.0.4;q=0.7,*/*;q=0.1`, "protobuf"],
    [`${OPENMETRICS},application/openmetrics-text;version=0.0.1;q=0.75,text/plain;q=0.5`, "openmetrics"],
    [`${PROTOBUF};q=0.2, text/plain;q=0.9`, "text"],
    [`${PROTOBUF};q=0, ${OPENMETRICS};q=0.1`, "openmetrics"],
    ["application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text", "text"],
    ["application/vnd.google.protobuf;proto=some.Other;encoding=delimited", "text"],
    ["application/openmetrics-text;version=2.0.0", "text"],
  ] as const)
    expect([accept, chooseForm(accept)]).toEqual([accept, form]);
});

test("series with labels beyond the bound are counted, and not kept", async () => {
  const metrics = new Metrics({ maxSeries: 3 });
  for (let i = 0; i < 10; i++) metrics.count(TASKS, { task: String(i) }).add();
  metrics.count(TASKS, { task: "0" }).add();
  metrics.count(TASKS, { task: "9" }).add();
  const many = Array.from({ length: 5 }, (_, i) => ({ value: i, labels: { task: String(i) } }));
  metrics.declare({ name: "waiting", help: "Waiting.", type: "gauge" }, () => many);
  const text = (await read(metrics)).join("\n");
  expect(text).toMatch(/task="0"\} 2/);
  expect(text.match(/^tasks_total\{/gm)).toHaveLength(3);
  expect(text).not.toMatch(/^waiting/m);
  const { body } = await exposeMetrics(metrics, undefined, systemHost.timers);
  expect(Buffer.from(body).toString()).toMatch(/^callsign_metric_series_dropped_total 13$/m);
});

test("a metric that cannot be read is left out and counted; the others are shown", async () => {
  const metrics = new Metrics();
  metrics.declare({ name: "broken", help: "Broken.", type: "gauge" }, () => {
    throw new Error("the database is closed");
  });
  metrics.declare({ name: "late", help: "Rejected.", type: "gauge" }, () =>
    Promise.reject(new Error("gone")),
  );
  metrics.declare(TASKS, () => 1);
  expect(await read(metrics)).toEqual([
    "# HELP tasks_total Tasks done.",
    "# TYPE tasks_total counter",
    "tasks_total 1",
    "",
  ]);
  const { body } = await exposeMetrics(metrics, undefined, systemHost.timers);
  expect(Buffer.from(body).toString()).toMatch(/^callsign_metric_reads_failed_total 2$/m);
});

test("metrics of another process stand with the same metrics of this one, by a label", async () => {
  const [metrics, other] = [new Metrics(), new Metrics()];
  metrics.declare(TASKS, () => 1);
  other.declare(TASKS, () => [{ value: 2, labels: { task: "a" } }]);
  other.declare({ name: "only_there", help: "Only there.", type: "gauge" }, () => 3);
  metrics.labelled({ node: "n" }).include(() => other.gather(systemHost.timers), { worker: "1" });
  metrics.include(() => Promise.reject(new Error("gone")), { worker: "2" });
  const lines = (await read(metrics)).filter((line) => !line.includes("callsign_metric_"));
  expect(lines).toEqual([
    "# HELP tasks_total Tasks done.",
    "# TYPE tasks_total counter",
    "tasks_total 1",
    'tasks_total{task="a",node="n",worker="1"} 2',
    "# HELP only_there Only there.",
    "# TYPE only_there gauge",
    'only_there{node="n",worker="1"} 3',
    "",
  ]);
  const { body } = await exposeMetrics(metrics, undefined, systemHost.timers);
  expect(Buffer.from(body).toString()).toMatch(/^callsign_metric_reads_failed_total 1$/m);
});
