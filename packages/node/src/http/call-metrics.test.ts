import { type Api, defineEndpoints, json, SpliceError, spliceError } from "@callsign/api";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { exposeMetrics } from "../observability/exposition.ts";
import { silentLog } from "../observability/log.ts";
import { Metrics } from "../observability/metrics.ts";
import { systemHost } from "../system-host.ts";
import { startHttpServer } from "./http-server.ts";
import type { CallRates } from "./listening.ts";
import { mountApi, openToAll } from "./mount-api.ts";
import { Refusal } from "./refusal.ts";

const shared = { method: "GET", auth: "none", success: json(z.object({})), errors: [] } as const;
const api = {
  ...{ name: "example", title: "Example", version: "1", description: "Example.", basePath: "" },
  ...{
    dialect: "splice",
    tags: { a: "A.", b: "B." },
    errorBody: SpliceError,
    maxBodyBytes: 1000,
  },
  endpoints: defineEndpoints(shared)({
    read: { path: "/read", tags: ["a"], summary: "Reads" },
    refuse: { path: "/refuse", tags: ["b"], summary: "Refuses" },
    fail: { path: "/fail", tags: ["b"], summary: "Fails" },
    hang: { path: "/hang", tags: ["b"], summary: "Hangs" },
  }),
} as const satisfies Api;

async function serve(callRates?: CallRates) {
  const metrics = new Metrics();
  const hanging = Promise.withResolvers<Record<string, never>>();
  const mount = mountApi(api, {
    ...openToAll,
    httpServices: { b: "other" },
    handlers: {
      read: () => ({}),
      refuse: () => {
        throw new Refusal(spliceError(404, "There is no such thing"));
      },
      fail: () => {
        throw new Error("a defect");
      },
      hang: () => hanging.promise,
    },
  });
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts: [mount], log: silentLog, metrics, system: systemHost },
    ...(callRates && { callRates }),
  });
  onTestFinished(() => server.close());
  const read = async () =>
    Buffer.from((await exposeMetrics(metrics, undefined, systemHost.timers)).body).toString();
  return { ...server, read, answerHanging: () => hanging.resolve({}) };
}

const countOf = (service: string, operation: string, status: string) =>
  `daml_http_requests_duration_seconds_count{http_service="${service}",operation="${operation}",${status}}`;

test("calls are counted by operation, service and status, and while they wait", async () => {
  const { url, read, answerHanging } = await serve();
  for (const path of ["read", "read", "refuse", "fail", "unknown"])
    await (await fetch(`${url}/${path}`)).text();
  const hanging = fetch(`${url}/hang`);
  await expect.poll(read).toContain('daml_http_requests_inflight{http_service="other",operation="hang"} 1\n');
  answerHanging();
  await hanging;
  const text = await read();
  expect(text).toContain('daml_http_requests_inflight{http_service="other",operation="hang"} 0\n');
  expect(text).toContain(`${countOf("example", "read", 'status="completed",status_code="200"')} 2\n`);
  expect(text).toContain(`${countOf("other", "refuse", 'status="rejected",status_code="404"')} 1\n`);
  expect(text).toContain(`${countOf("other", "fail", 'status="failure",status_code="500"')} 1\n`);
  expect(text).not.toContain("unknown");
});

test("answers of a rate limit are counted", async () => {
  const { url, read } = await serve({ perAddress: { perSecond: 0.001, burst: 2 } });
  for (let i = 0; i < 3; i++) await (await fetch(`${url}/read`)).text();
  const labels = 'http_service="example",limiter="address"';
  const text = await read();
  expect(text).toContain(`splice_rate_limiting_max_limit_per_second{${labels}} 0.001\n`);
  expect(text).toContain(`splice_rate_limiting_total{${labels},result="accepted"} 2\n`);
  expect(text).toContain(`splice_rate_limiting_total{${labels},result="rejected"} 1\n`);
});
