/** Port 10013: what the network's parts are doing, as figures. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type AutomationStatus, formatMetrics, METRICS_TYPE, type Metric } from "@callsign/node";
import type { SvNode } from "@callsign/sv";
import type { Validator } from "@callsign/validator";

export interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Whose figures they are. */
export interface Measured {
  readonly svs: readonly SvNode[];
  readonly nodes: readonly { readonly name: string; readonly validator: Validator }[];
}

export async function startMetrics(host: string, port: number, measured: Measured): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Figures are at GET /metrics\n");
      return;
    }
    response.writeHead(200, { "content-type": METRICS_TYPE }).end(formatMetrics(listMetrics(measured)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface AutomationMetric extends Omit<Metric, "samples"> {
  readonly value: (status: Figures) => number;
}

type Figures = Pick<AutomationStatus, "done" | "lost" | "failed" | "waiting" | "paused">;

/** One line for each SV or validator, and automation. */
const AUTOMATION_METRICS: readonly AutomationMetric[] = [
  {
    name: "callsign_automation_done_total",
    help: "Submissions of the automation that the ledger took.",
    type: "counter",
    value: ({ done }) => done,
  },
  {
    name: "callsign_automation_lost_total",
    help: "Submissions that were refused because another had done the work.",
    type: "counter",
    value: ({ lost }) => lost,
  },
  {
    name: "callsign_automation_failed_total",
    help: "Submissions that were refused or not heard of, though the work was still to be done.",
    type: "counter",
    value: ({ failed }) => failed,
  },
  {
    name: "callsign_automation_waiting",
    help: "Tasks of the automation that wait: for their turn, another try, or confirmations of others.",
    type: "gauge",
    value: ({ waiting }) => waiting,
  },
  {
    name: "callsign_automation_paused",
    help: "Whether the automation is left to others, or nobody: 1 or 0.",
    type: "gauge",
    value: ({ paused }) => (paused ? 1 : 0),
  },
];

function listMetrics({ svs, nodes }: Measured): readonly Metric[] {
  const bySv = (value: (sv: SvNode) => number) =>
    svs.map((sv) => ({ labels: { sv: sv.identity.nodeIdentifier }, value: value(sv) }));
  const status = svs.map(({ automation }) => automation.status());
  const ofValidators = nodes.map(({ validator }) => validator.automations());
  const tasks = (["accepted", "lost", "failed"] as const).flatMap((outcome) =>
    svs.map((sv, i) => ({
      labels: { sv: sv.identity.nodeIdentifier, outcome },
      value: status[i]?.[outcome] ?? 0,
    })),
  );
  return [
    {
      name: "callsign_replica_sequence",
      help: "The last log entry that the SV's replica has applied.",
      type: "gauge",
      samples: bySv(({ replica }) => replica.state.head.sequence),
    },
    {
      name: "callsign_record_time_seconds",
      help: "The record time of that entry, in seconds since 1970.",
      type: "gauge",
      samples: bySv(({ replica }) => Number(replica.state.head.recordTime / 1000n) / 1000),
    },
    {
      name: "callsign_sv_submissions_total",
      help: "Submissions of the SV's automation, by what became of them.",
      type: "counter",
      samples: tasks,
    },
    {
      name: "callsign_sv_tasks_waiting",
      help: "Tasks of the SV's automation that wait for their turn.",
      type: "gauge",
      samples: svs.map((sv, i) => ({
        labels: { sv: sv.identity.nodeIdentifier },
        value: status[i]?.waiting ?? 0,
      })),
    },
    ...AUTOMATION_METRICS.map(({ value, ...metric }) => ({
      ...metric,
      samples: [
        ...svs.flatMap((sv, i) =>
          (status[i]?.automations ?? []).map((its) => ({
            labels: { sv: sv.identity.nodeIdentifier, automation: its.automation },
            value: value(its),
          })),
        ),
        ...nodes.flatMap(({ name }, i) =>
          (ofValidators[i] ?? []).map((its) => ({
            labels: { validator: name, automation: its.automation },
            value: value(its),
          })),
        ),
      ],
    })),
    {
      name: "process_resident_memory_bytes",
      help: "Resident memory of the process.",
      type: "gauge",
      samples: [{ value: process.memoryUsage.rss() }],
    },
    {
      name: "process_cpu_seconds_total",
      help: "Processor time that the process has used.",
      type: "counter",
      samples: [{ value: (process.cpuUsage().user + process.cpuUsage().system) / 1e6 }],
    },
  ];
}
