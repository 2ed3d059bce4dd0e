// Every refusal leaves a line that explains it; answers, probes and floods do not.

import { connect } from "node:net";
import { join } from "node:path";
import { spliceError } from "@callsign/api";
import { expect, onTestFinished, test, vi } from "vitest";
import { readLogLines } from "../../testing/log-lines.ts";
import { mountSample, type Thrower } from "../../testing/sample-api.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { WebsocketReader } from "../../testing/websocket-reader.ts";
import { createLog, type Log, type LogLevel } from "../observability/log.ts";
import { runOutsideTraces, traceHeaders } from "../observability/trace-context.ts";
import { serveWebsockets } from "../websockets/websockets.ts";
import { startHttpServer } from "./http-server.ts";
import { LOGGED_REFUSALS_PER_SECOND, MAX_REASON_LENGTH } from "./limits.ts";
import { Refusal } from "./refusal.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

async function serve(
  dialect: "ledger" | "splice",
  {
    level = "debug",
    onFind,
    onChange,
    log,
  }: { level?: LogLevel; onFind?: Thrower; onChange?: () => void; log?: Log } = {},
) {
  const file = join(temporaryFolder(), "node.log");
  const host = new VirtualHost();
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts: [mountSample(dialect, onFind, onChange)], system: host },
    log: log ?? createLog({ level, file }),
    upgrades: serveWebsockets(),
  });
  onTestFinished(() => server.close());
  const lines = () => readLogLines(file);
  const call = (path: string, user?: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { ...(user && { authorization: `Bearer ${user}` }), ...init.headers },
    });
  const greet = (user: string | undefined, headers = {}) =>
    call("/v2/greet", user, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", ...headers },
    });
  return { url: server.url, port: server.port, host, lines, call, greet };
}

test.each(["ledger", "splice"] as const)(
  "a refused call of a %s API is logged with its trace and real reason",
  async (dialect) => {
    const { greet, lines } = await serve(dialect);
    const nobody = await greet("nobody", { traceparent: TRACEPARENT });
    const mallory = await greet("mallory", { traceparent: TRACEPARENT });
    expect([nobody.status, mallory.status]).toEqual([401, 403]);
    // The caller learns neither reason.
    expect(`${await nobody.text()}${await mallory.text()}`).not.toMatch(/names nobody|every right/);
    const shared = { traceId: TRACE, operation: "greet", address: "127.0.0.1", msg: "a call was refused" };
    expect(lines()).toEqual([
      expect.objectContaining({
        ...shared,
        level: 30,
        status: 401,
        reason: expect.stringContaining("the token names nobody"),
      }),
      expect.objectContaining({
        ...shared,
        level: 40,
        status: 403,
        user: "mallory",
        reason: expect.stringContaining("mallory lacks every right"),
      }),
    ]);
  },
);

test("paths, methods and bytes that no operation takes are logged, without tokens of the query", async () => {
  const { call, port, lines } = await serve("splice");
  await call("/v2/nowhere?access_token=hunter2");
  await call("/livez", undefined, { method: "DELETE" });
  const socket = connect({ host: "127.0.0.1", port }).on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write("nonsense\r\n\r\n");
  await until(() => lines().length === 3, "three lines are there");
  expect(lines()).toMatchObject([
    { status: 404, method: "GET", path: "/v2/nowhere", reason: "no API of this port has the path" },
    { status: 405, method: "DELETE", path: "/livez" },
    { status: 400, reason: "the request cannot be read: HPE_INVALID_METHOD", address: "127.0.0.1" },
  ]);
  expect(JSON.stringify(lines())).not.toContain("hunter2");
});

test("the parser's quotation of a body stays out of the log", async () => {
  const { call, lines } = await serve("splice");
  const headers = { "content-type": "application/json" };
  for (const body of [
    "hunter2hunter2",
    '{"secret":"hunter2}',
    `{"secret":"hunter2${"x".repeat(100)}", y`,
    '"hunter2" is',
  ])
    expect((await call("/v2/greet", "alice", { method: "POST", body, headers })).status).toBe(400);
  expect(lines()).toHaveLength(4);
  expect(JSON.stringify(lines())).not.toMatch(/hunter|xxxx/);
});

test("a long reason full of quotes takes no time", async () => {
  // Searched whole, it would take minutes.
  const reason = '"'.repeat(500_000);
  const onFind = (): never => {
    throw new Refusal(spliceError(403, "no"), reason);
  };
  const { call, lines } = await serve("splice", { onFind });
  expect((await call("/v2/things/x")).status).toBe(403);
  expect(lines()).toMatchObject([{ status: 403, reason: reason.slice(0, MAX_REASON_LENGTH) }]);
});

test("a change is recorded although its caller has gone before it failed", async () => {
  const leaving = new AbortController();
  const { call, lines } = await serve("splice", { onChange: () => leaving.abort() });
  const answer = call("/v2/changes", "alice", { method: "POST", signal: leaving.signal });
  await expect(answer).rejects.toThrow();
  await until(() => lines().length === 1, "the record is there");
  expect(lines()).toMatchObject([
    { audit: true, operation: "change", user: "alice", outcome: "failed", status: 503 },
  ]);
});

test("refused websockets are logged, at the handshake and behind it", async () => {
  const { url, lines } = await serve("ledger");
  const open = (user: string) =>
    new WebsocketReader(`${url}/v2/greet`, { headers: { authorization: `Bearer ${user}` }, request: {} });
  expect(await open("nobody").refused()).toMatchObject({ status: 401 });
  await open("mallory").rest();
  expect(lines()).toMatchObject([
    { operation: "greet", status: 401, reason: expect.stringContaining("names nobody") },
    { operation: "greet", status: 403, user: "mallory", reason: expect.stringContaining("every right") },
  ]);
});

test("a lookup that finds nothing is an answer: for debugging alone, and not made where that is off", async () => {
  const { call, lines } = await serve("splice");
  expect((await call("/v2/things/x")).status).toBe(404);
  expect((await call("/livez")).status).toBe(200);
  expect(lines()).toMatchObject([
    { level: 20, status: 404, operation: "find", reason: '{"error":"There is no x"}' },
  ]);
  const described = vi.fn();
  const onFind = (): never => {
    const refusal = new Refusal(spliceError(404, "no"));
    Object.defineProperty(refusal, "reason", { get: described });
    throw refusal;
  };
  const quiet = await serve("splice", { level: "info", onFind });
  expect((await quiet.call("/v2/things/x")).status).toBe(404);
  expect(described).not.toHaveBeenCalled();
});

test("beyond the rate refusals are counted in one line, and those of another level have their own", async () => {
  const { greet, host, lines } = await serve("splice", { level: "info" });
  for (let i = 0; i < LOGGED_REFUSALS_PER_SECOND + 5; i++) await greet("nobody");
  await greet("mallory");
  expect(lines().filter(({ status }) => status === 401)).toHaveLength(LOGGED_REFUSALS_PER_SECOND);
  expect(lines().filter(({ status }) => status === 403)).toHaveLength(1);
  await host.advance(1000);
  expect(lines().filter(({ refused }) => refused !== undefined)).toMatchObject([
    { level: 30, refused: { 401: 5 } },
  ]);
  await greet("nobody");
  expect(lines().at(-1)).toMatchObject({ status: 401 });
});

test("the trace comes back to a caller who sent one or is refused, and to no other", async () => {
  const { greet, call, lines } = await serve("ledger");
  const sent = await greet("alice", { traceparent: TRACEPARENT, origin: "http://localhost" });
  expect(sent.headers.get("traceparent")).toMatch(
    new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`),
  );
  expect(sent.headers.get("access-control-expose-headers")).toContain("traceparent");
  expect((await greet("alice")).headers.get("traceparent")).toBeNull();
  const refused = await greet("nobody");
  const { traceId } = lines().at(-1) as { traceId: string };
  expect(refused.headers.get("traceparent")).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  expect((await call("/nowhere")).headers.get("traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test("calls made for a call carry its trace on, with tracestate as it came", async () => {
  let carried: Readonly<Record<string, string>> = {};
  const onFind = (): never => {
    carried = traceHeaders();
    throw new Refusal(spliceError(404, "no"));
  };
  const { call } = await serve("splice", { onFind });
  const headers = { traceparent: TRACEPARENT, tracestate: "vendor=1,other=2" };
  const answer = await call("/v2/things/x", undefined, { headers });
  expect(carried).toEqual({ traceparent: answer.headers.get("traceparent"), tracestate: "vendor=1,other=2" });
  expect(carried["traceparent"]).toContain(TRACE);
  expect(traceHeaders()).toEqual({});
});

test("a long tracestate, and the trace of work that callers share, are not carried on", async () => {
  let carried: Readonly<Record<string, string>>[] = [];
  const onFind = (): never => {
    carried = [traceHeaders(), runOutsideTraces(traceHeaders)];
    throw new Refusal(spliceError(404, "no"));
  };
  const { call } = await serve("splice", { onFind });
  const headers = { traceparent: TRACEPARENT, tracestate: `vendor=${"x".repeat(512)}` };
  const answer = await call("/v2/things/x", undefined, { headers });
  expect(carried).toEqual([{ traceparent: answer.headers.get("traceparent") }, {}]);
});
