import { expect, test } from "vitest";
import { Metrics } from "./metrics.ts";

test("samples of one metric stand together, with the labels of each registry they were declared through", () => {
  const metrics = new Metrics();
  const tasks = { name: "tasks_total", help: "Tasks done.", type: "counter" } as const;
  let done = 1;
  metrics.labelled({ node: "a" }).declare(tasks, () => done);
  metrics.declare({ name: "memory_bytes", help: "Memory.", type: "gauge" }, () => 7);
  metrics.labelled({ node: 'b"\\\n' }).declare(tasks, () => [
    { value: 2, labels: { task: "x" } },
    { value: 3, labels: { task: "y" } },
  ]);
  done = 5;
  expect(metrics.format().split("\n")).toEqual([
    "# HELP tasks_total Tasks done.",
    "# TYPE tasks_total counter",
    'tasks_total{node="a"} 5',
    'tasks_total{node="b\\"\\\\\\n",task="x"} 2',
    'tasks_total{node="b\\"\\\\\\n",task="y"} 3',
    "# HELP memory_bytes Memory.",
    "# TYPE memory_bytes gauge",
    "memory_bytes 7",
    "",
  ]);
});
