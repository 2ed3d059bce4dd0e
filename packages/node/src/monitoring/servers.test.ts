import { request } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { readLogLines } from "../../testing/log-lines.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createLog, silentLog } from "../observability/log.ts";
import { Metrics } from "../observability/metrics.ts";
import { systemHost } from "../system-host.ts";
import { startHealthServer } from "./health-server.ts";
import { startMetricsServer } from "./metrics-server.ts";

const ANY_PORT = { host: "127.0.0.1", port: 0 };

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function ask(url: string, method = "GET", headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on("error", reject)
      .end();
  });
}

test("metrics are at /metrics alone, packed if the scraper takes that", async () => {
  const metrics = new Metrics();
  metrics.declare({ name: "tasks_total", help: "Tasks done.", type: "counter" }, () => 1);
  const server = await startMetricsServer(ANY_PORT, metrics, { system: systemHost, log: silentLog });
  onTestFinished(() => server.close());
  const plain = await ask(`${server.url}/metrics?x=y`);
  expect(plain.status).toBe(200);
  expect(plain.headers).toMatchObject({ "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  expect(plain.body.toString()).toMatch(/^tasks_total 1$/m);
  const packed = await ask(`${server.url}/metrics`, "GET", { "accept-encoding": "br, gzip" });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString());
  const unpacked = await ask(`${server.url}/metrics`, "GET", { "accept-encoding": "gzip;q=0, identity" });
  expect(unpacked.body.toString()).toBe(plain.body.toString());
  const head = await ask(`${server.url}/metrics`, "HEAD");
  expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
    ...[200, 0, String(plain.body.length)],
  ]);
  for (const [path, method] of [
    ["/", "GET"],
    ["/metricsx", "GET"],
    ["/metrics", "POST"],
  ] as const)
    expect((await ask(server.url + path, method)).status).toBe(404);
});

test("a scraper that comes too often is refused, and logged", async () => {
  const file = join(temporaryFolder(), "node.log");
  const parts = { system: systemHost, log: createLog({ level: "info", file }) };
  const rates = { callRates: { perAddress: { perSecond: 0.001, burst: 1 } } };
  const server = await startMetricsServer({ ...ANY_PORT, ...rates }, new Metrics(), parts);
  onTestFinished(() => server.close());
  expect((await ask(`${server.url}/metrics`)).status).toBe(200);
  const refused = await ask(`${server.url}/metrics`);
  expect(refused.status).toBe(429);
  // A second may pass between the two.
  expect(refused.headers["retry-after"]).toMatch(/^(?:1000|9\d\d)$/);
  expect(readLogLines(file)).toMatchObject([
    { status: 429, address: "127.0.0.1", msg: "a call was refused" },
  ]);
});

test("probes of a port of their own say what is missing, with and without the prefix", async () => {
  let missing: string | null = "the participant does not answer";
  const parts = {
    id: "validator",
    missing: () => missing,
    basePath: "/api/validator",
    log: silentLog,
  } as const;
  const server = await startHealthServer(ANY_PORT, parts, systemHost);
  onTestFinished(() => server.close());
  for (const prefix of ["", "/api/validator"]) {
    const answer = await ask(`${server.url}${prefix}/readyz`, "GET", { host: "validator.example.com" });
    expect([answer.status, answer.headers["x-callsign-missing"]]).toEqual([503, missing]);
    expect((await ask(`${server.url}${prefix}/livez`)).status).toBe(200);
  }
  missing = null;
  expect((await ask(`${server.url}/readyz`)).status).toBe(200);
});
