/**
 * Scan's lookups by name over HTTP, hits and misses: requests a second, and processor time of each request.
 * The floor is a bare `node:http` server with fixed bodies of the same sizes. Servers and load have a core each, where
 * the machine has two and `taskset`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Row, report } from "./measure.ts";
import { nameAt } from "./name-index-data/bulk-names.ts";
import { runGets } from "./scan-load/http-get-load.ts";
import { leaveFirstCore, MeasuredServer } from "./scan-load/measured-server.ts";

const NAMES = 10_000;
const SAMPLES = 5;
const REQUESTS = 10_000;
const CONNECTIONS = 16;
const BY_NAME = "/api/scan/v0/ans-entries/by-name/";

interface Sample {
  readonly rate: number;
  /** Microseconds of processor time for each request. */
  readonly cost: number;
}

const cases = [
  {
    what: "hit",
    status: 200,
    floorPath: "/hit",
    path: (i: number) => BY_NAME + nameAt((i * 7919) % NAMES, NAMES),
  },
  {
    what: "miss",
    status: 404,
    floorPath: "/miss",
    path: (i: number) => `${BY_NAME}nobody-${i}.unverified.cns`,
  },
];

async function sample(server: MeasuredServer, status: number, path: (i: number) => string): Promise<Sample> {
  const before = await server.processorTime();
  const load = { port: server.port, connections: CONNECTIONS, requests: REQUESTS, path, status };
  const rate = await runGets(load);
  return { rate, cost: ((await server.processorTime()) - before) / REQUESTS };
}

async function bodyLength(server: MeasuredServer, path: string): Promise<number> {
  return (await (await fetch(`http://127.0.0.1:${server.port}${path}`)).arrayBuffer()).byteLength;
}

leaveFirstCore();
const folder = mkdtempSync(join(tmpdir(), "callsign-bench-"));
const scan = await MeasuredServer.start("serve-names.ts", [join(folder, "names.db"), NAMES]);
const lengths = await Promise.all(cases.map(({ path }) => bodyLength(scan, path(NAMES / 2))));
const bare = await MeasuredServer.start("serve-fixed.ts", lengths);
const rows: Row[] = [];
try {
  for (const { what, status, path, floorPath } of cases) {
    const samples: { scan: Sample; bare: Sample }[] = [];
    // The first round warms up and is not counted; the two servers take turns.
    for (let i = 0; i <= SAMPLES; i++) {
      const floor = await sample(bare, status, () => floorPath);
      const measured = await sample(scan, status, path);
      if (i > 0) samples.push({ scan: measured, bare: floor });
    }
    const figures = (of: "scan" | "bare", figure: keyof Sample) =>
      median(samples.map((both) => both[of][figure]));
    rows.push(
      {
        what: `by name, ${what}`,
        value: figures("scan", "rate"),
        unit: "/s",
        floor: figures("bare", "rate"),
      },
      {
        what: `processor time, ${what}`,
        value: figures("scan", "cost"),
        unit: "µs",
        floor: figures("bare", "cost"),
      },
    );
  }
} finally {
  scan.stop();
  bare.stop();
  rmSync(folder, { recursive: true, force: true });
}
report("scan", rows, [
  `${NAMES.toLocaleString("en-US")} names, ${CONNECTIONS} connections; medians of ${SAMPLES} rounds of ${REQUESTS.toLocaleString("en-US")} requests, taken in turns with the floor:\n` +
    "a bare node:http server whose fixed bodies are as long.",
]);
